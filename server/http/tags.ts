import type { Scope } from '../access/scope.ts';

type ResourceOf<Name> = Name extends `${infer Resource}:${string}` ? Resource : never;

interface TagText {
  readonly name: string;
  readonly description: string;
}

/** OpenAPI tags in the order of the reference: one for each resource that has scopes, and a few more. */
export const tags = {
  posts: {
    name: 'Posts',
    description: 'Write, publish, schedule and delete posts, and restore earlier revisions.',
  },
  media: {
    name: 'Images',
    description: 'Upload images for use in posts, list and delete them.',
  },
  search: { name: 'Search', description: 'Search the published posts of one blog or of all blogs.' },
  blogs: { name: 'Blogs', description: 'Create, change and delete blogs.' },
  domains: { name: 'Custom domains', description: 'Serve a blog on your own domain.' },
  analytics: { name: 'Analytics', description: 'View counts of a blog and its posts.' },
  rebuilds: { name: 'Rebuilds', description: 'Progress of a write on its way to readers.' },
  keys: { name: 'Keys and tokens', description: 'Create, list and revoke API keys and tokens.' },
  packs: { name: 'Post packs', description: 'Prepaid posts for use after the monthly quota.' },
  account: { name: 'Account', description: 'The account itself: profile, export, deletion.' },
  service: { name: 'Service', description: 'The service itself.' },
} as const satisfies Record<ResourceOf<Scope>, TagText> & Record<string, TagText>;

export type Tag = keyof typeof tags;

/** The tag of an operation that names none: the resource of its scope. */
export function defaultTag(scope: Scope | null): Tag {
  const resource = scope?.split(':')[0] ?? '';
  return isTag(resource) ? resource : 'service';
}

const isTag = (name: string): name is Tag => Object.hasOwn(tags, name);
