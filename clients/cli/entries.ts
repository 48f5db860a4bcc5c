import type { Entry } from './command-line/command.ts';

const WRITE = 'Write and publish:';
const FOLDERS = 'Folders:';
const BLOGS = 'Blogs:';
const READ = 'Find and measure:';
const ACCOUNT = 'Account:';
const SERVERS = 'Servers and tools:';

/** Every command and group of commands, in the order of the overview. */
export const entries: readonly Entry[] = [
  {
    name: 'posts',
    heading: WRITE,
    summary: 'List, write, publish and delete posts',
    load: async () => (await import('./commands/posts/posts.ts')).posts,
  },
  {
    name: 'upload',
    heading: WRITE,
    summary: 'Upload images and print their addresses',
    load: async () => (await import('./commands/images.ts')).upload,
  },
  {
    name: 'images',
    heading: WRITE,
    summary: 'List and delete uploaded images',
    load: async () => (await import('./commands/images.ts')).images,
  },
  {
    name: 'open',
    heading: WRITE,
    summary: 'Open a blog, a post or the guides in the browser',
    load: async () => (await import('./commands/open.ts')).open,
  },
  {
    name: 'deploy',
    heading: FOLDERS,
    summary: 'Make a blog what a folder of Markdown says',
    load: async () => (await import('./commands/folders.ts')).deployCommand,
  },
  {
    name: 'dev',
    heading: FOLDERS,
    summary: 'Show a folder as it will be, and follow its changes',
    load: async () => (await import('./commands/folders.ts')).devCommand,
  },
  {
    name: 'import',
    heading: FOLDERS,
    summary: 'Make a folder of an export of another system',
    load: async () => (await import('./commands/moving.ts')).importCommand,
  },
  {
    name: 'export',
    heading: FOLDERS,
    summary: 'Write everything of a blog as a folder',
    load: async () => (await import('./commands/moving.ts')).exportCommand,
  },
  {
    name: 'blogs',
    heading: BLOGS,
    summary: 'List, create, change and choose blogs',
    load: async () => (await import('./commands/blogs/blogs.ts')).blogs,
  },
  {
    name: 'domains',
    heading: BLOGS,
    summary: 'The custom domain of a blog',
    load: async () => (await import('./commands/blogs/domains.ts')).domains,
  },
  {
    name: 'redirects',
    heading: BLOGS,
    summary: 'Redirects from addresses of an earlier site',
    load: async () => (await import('./commands/blogs/redirects.ts')).redirects,
  },
  {
    name: 'keys',
    heading: BLOGS,
    summary: 'API keys that are bound to a blog',
    load: async () => (await import('./commands/account/credentials.ts')).keys,
  },
  {
    name: 'search',
    heading: READ,
    summary: 'Search the published posts of a blog',
    load: async () => (await import('./commands/search.ts')).search,
  },
  {
    name: 'discover',
    heading: READ,
    summary: 'Search the published posts of all blogs of a server',
    load: async () => (await import('./commands/search.ts')).discover,
  },
  {
    name: 'analytics',
    heading: READ,
    summary: 'Views of a blog or a post',
    load: async () => (await import('./commands/analytics.ts')).analytics,
  },
  {
    name: 'login',
    heading: ACCOUNT,
    summary: 'Sign in to a server with an API key',
    load: async () => (await import('./commands/session/login.ts')).login,
  },
  {
    name: 'logout',
    heading: ACCOUNT,
    summary: 'Forget the key of a profile',
    load: async () => (await import('./commands/session/logout.ts')).logout,
  },
  {
    name: 'whoami',
    heading: ACCOUNT,
    summary: 'Show the server, the account and the key in use',
    load: async () => (await import('./commands/session/whoami.ts')).whoami,
  },
  {
    name: 'profiles',
    heading: ACCOUNT,
    summary: 'List profiles, and choose one',
    load: async () => (await import('./commands/session/profiles.ts')).profiles,
  },
  {
    name: 'account',
    heading: ACCOUNT,
    summary: 'Show, export or delete the account',
    load: async () => (await import('./commands/account/account.ts')).account,
  },
  {
    name: 'tokens',
    heading: ACCOUNT,
    summary: 'Tokens with chosen scopes',
    load: async () => (await import('./commands/account/credentials.ts')).tokens,
  },
  {
    name: 'packs',
    heading: ACCOUNT,
    summary: 'Posts beyond the quota of a month',
    load: async () => (await import('./commands/account/packs.ts')).packs,
  },
  {
    name: 'mcp',
    heading: SERVERS,
    summary: 'Let an AI agent write and publish, by MCP',
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
  {
    name: 'serve',
    heading: SERVERS,
    summary: 'Start a server of Platen on this machine',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  {
    name: 'completion',
    heading: SERVERS,
    summary: 'Print the completion of a shell',
    load: async () => (await import('./commands/completion.ts')).completionOf(entries),
  },
];
