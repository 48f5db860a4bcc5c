import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorkshop, type Workshop } from '../../support/site-builder.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop({
    PLATEN_BLOG: 'notes',
    PLATEN_BLOG_HOST: 'blog.example',
    PLATEN_OWNER_EMAIL: 'owner@example.org',
  });
});
afterAll(() => workshop.close());

it('the blog at the root of the blog host can only be one of the owner', async () => {
  const { blogs } = workshop.services;
  const stranger = await workshop.newCaller('stranger@example.org');
  const named = { slug: 'notes', name: 'Notes', description: '' };
  await expect(blogs.create(stranger, named)).rejects.toThrow('slug: "notes" is reserved');
  const other = await workshop.newBlog('other', stranger);
  await expect(blogs.update(stranger, other.id, { slug: 'notes' })).rejects.toThrow('is reserved');

  const owner = await workshop.newCaller('owner@example.org');
  const { blog } = await blogs.create(owner, named);
  expect(workshop.services.blogUrl(blog)).toBe('http://blog.example/');
});
