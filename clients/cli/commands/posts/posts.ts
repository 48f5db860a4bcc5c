import type { Group } from '../../command-line/command.ts';

export const posts: Group = {
  commands: [
    {
      name: 'list',
      summary: 'List posts and pages, newest first',
      load: async () => (await import('./list-posts.ts')).listPosts,
    },
    {
      name: 'get',
      summary: 'Print a post as Markdown with front matter',
      load: async () => (await import('./get-post.ts')).getPost,
    },
    {
      name: 'create',
      summary: 'Create a post from a file, standard input or options',
      load: async () => (await import('./create-post.ts')).createPost,
    },
    {
      name: 'edit',
      summary: 'Edit a post in your editor',
      load: async () => (await import('./edit-post.ts')).editPost,
    },
    {
      name: 'update',
      summary: 'Change a post, by a file, standard input or options',
      load: async () => (await import('./update-post.ts')).updatePost,
    },
    {
      name: 'publish',
      summary: 'Publish a draft or a scheduled post now',
      load: async () => (await import('./publication.ts')).publishPost,
    },
    {
      name: 'unpublish',
      summary: 'Make a published or scheduled post a draft again',
      load: async () => (await import('./publication.ts')).unpublishPost,
    },
    {
      name: 'schedule',
      summary: 'Publish a post at a time in the future',
      load: async () => (await import('./publication.ts')).schedulePost,
    },
    {
      name: 'preview',
      summary: 'Make a link under which a draft can be read',
      load: async () => (await import('./preview-post.ts')).previewPost,
    },
    {
      name: 'revisions',
      summary: 'List earlier states of a post, or print one',
      load: async () => (await import('./revisions.ts')).listRevisions,
    },
    {
      name: 'restore',
      summary: 'Make a post what it was in a revision',
      load: async () => (await import('./revisions.ts')).restoreRevision,
    },
    {
      name: 'delete',
      summary: 'Delete a post for good',
      load: async () => (await import('./delete-post.ts')).deletePost,
    },
  ],
};
