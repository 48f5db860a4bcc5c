import type { Scope } from '../access/scope.ts';

type ResourceOf<Name> = Name extends `${infer Resource}:${string}` ? Resource : never;

interface TagText {
  readonly name: string;
  readonly description: string;
}

/** The chapters of the reference, in their order: one for each resource that a scope is about, and some more. */
export const tags = {
  posts: {
    name: 'Posts',
    description: 'Write, publish, schedule and delete posts, and go back to earlier states of them.',
  },
  media: {
    name: 'Images',
    description: 'Upload images, to be shown in posts by their addresses; list and delete them.',
  },
  search: { name: 'Search', description: 'Find published posts, in a blog or in all of them.' },
  blogs: { name: 'Blogs', description: 'Create, change and delete blogs.' },
  domains: { name: 'Custom domains', description: 'Serve a blog under a host name of your own.' },
  analytics: { name: 'Analytics', description: 'How often a blog and its posts were read.' },
  rebuilds: { name: 'Rebuilds', description: 'How far a write has got on its way to readers.' },
  keys: { name: 'Keys and tokens', description: 'Make, list and revoke the credentials of programs.' },
  packs: { name: 'Post packs', description: 'Prepaid posts, used when the quota of the month is used up.' },
  account: { name: 'Account', description: 'The account itself, and all that it holds.' },
  service: { name: 'Service', description: 'The service itself.' },
} as const satisfies Record<ResourceOf<Scope>, TagText> & Record<string, TagText>;

export type Tag = keyof typeof tags;

/** The chapter of an operation that names none: that of the resource of its scope. */
export function defaultTag(scope: Scope | null): Tag {
  const resource = scope?.split(':')[0] ?? '';
  return isTag(resource) ? resource : 'service';
}

const isTag = (name: string): name is Tag => Object.hasOwn(tags, name);
