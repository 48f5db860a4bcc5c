/** A guide that comes from a source file: a page of `docs`, or an `.svx` page of the theme. */
export interface Guide {
  /** Path below `/docs/`, with a trailing slash; empty for the overview. */
  readonly path: string;
  /** Source file, from the root of the repository. */
  readonly file: string;
  /** Name in navigation, shorter than the title. */
  readonly label: string;
  /** What a reader finds there, for the overview. */
  readonly about: string;
}

/** The guides in reading order. */
export const guides: readonly Guide[] = [
  {
    path: 'start/',
    file: 'templates/guides/start.svx',
    label: 'Start',
    about: 'From a running server to a published post in a few minutes.',
  },
  {
    path: 'markdown/',
    file: 'docs/markdown.md',
    label: 'Markdown',
    about: 'Everything that a post may use, as source and as the result.',
  },
  {
    path: 'command-line/',
    file: 'docs/command-line.md',
    label: 'Command line',
    about: 'Publish, deploy and manage blogs from a terminal or a script.',
  },
  {
    path: 'deploy/',
    file: 'docs/deploy.md',
    label: 'Deploy a folder',
    about: 'A folder of Markdown to a blog, from a terminal or at every push.',
  },
  {
    path: 'import/',
    file: 'docs/import.md',
    label: 'Move in or out',
    about: 'From Ghost, WordPress, Medium, Substack, Hugo or Jekyll, and back into a folder.',
  },
  {
    path: 'layouts/',
    file: 'docs/layouts.md',
    label: 'Layouts',
    about: 'Your own frame around the pages of a blog, in Liquid.',
  },
  {
    path: 'api/',
    file: 'docs/api.md',
    label: 'API by task',
    about: 'Requests by what you want to do: posts, images, safe retries, errors.',
  },
  {
    path: 'agents/',
    file: 'docs/agents.md',
    label: 'AI agents',
    about: 'Claude, VS Code, Cursor and other MCP clients: connecting them, their tools, and safe keys.',
  },
  {
    path: 'accounts/',
    file: 'docs/accounts.md',
    label: 'Accounts and plans',
    about: 'Plans, quotas, keys, tokens and their scopes.',
  },
  {
    path: 'operations/',
    file: 'docs/operations.md',
    label: 'Operations',
    about: 'Configure, upgrade, back up and check an installation.',
  },
  {
    path: 'domains/',
    file: 'docs/domains.md',
    label: 'Custom domains',
    about: 'A blog under a name of its own.',
  },
  {
    path: 'edge/',
    file: 'docs/edge.md',
    label: 'The edge',
    about: 'The files that readers get, and how to serve them.',
  },
  { path: 's3/', file: 'docs/s3.md', label: 'S3', about: 'Blogs in a bucket.' },
  {
    path: 'aws/',
    file: 'docs/aws.md',
    label: 'AWS',
    about: 'S3 and CloudFront, from nothing to a published post.',
  },
  {
    path: 'moving/',
    file: 'docs/moving.md',
    label: 'Moving',
    about: 'A blog from elsewhere to Platen, and an installation to another edge.',
  },
];

/** The overview, which links to all guides. */
export const overview: Guide = {
  path: '',
  file: 'templates/guides/overview.svx',
  label: 'Guides',
  about: 'All guides of this server.',
};

const DECISIONS = 'docs/decisions/';

/** The page of a decision record. Guides link to these where they say why. */
export const decisionPage = (name: string): Guide => ({
  path: name === 'README.md' ? 'decisions/' : `decisions/${name.replace(/\.md$/, '')}/`,
  file: DECISIONS + name,
  label: 'Decisions',
  about: '',
});

/** Pages below `/docs/` that are not made from Markdown. */
export const otherPages = ['reference/', 'search/'] as const;
