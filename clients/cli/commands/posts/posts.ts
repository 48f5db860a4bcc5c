import type { Group } from '../../command-line/command.ts';
import { createPost } from './create-post.ts';
import { deletePost } from './delete-post.ts';
import { editPost } from './edit-post.ts';
import { getPost } from './get-post.ts';
import { listPosts } from './list-posts.ts';
import { previewPost } from './preview-post.ts';
import { publishPost, schedulePost, unpublishPost } from './publication.ts';
import { listRevisions, restoreRevision } from './revisions.ts';
import { updatePost } from './update-post.ts';

export const posts: Group = {
  commands: {
    list: listPosts,
    get: getPost,
    create: createPost,
    edit: editPost,
    update: updatePost,
    publish: publishPost,
    unpublish: unpublishPost,
    schedule: schedulePost,
    preview: previewPost,
    revisions: listRevisions,
    restore: restoreRevision,
    delete: deletePost,
  },
};
