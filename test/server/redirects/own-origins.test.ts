import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertFormerSlug } from '../../../server/addresses/former-slugs.ts';
import { blogUrlOf } from '../../../server/config/config.ts';
import type { Db } from '../../../server/database/database.ts';
import { openDatabase } from '../../../server/database/dialect.ts';
import { migrate } from '../../../server/database/migrate.ts';
import { assignHost } from '../../../server/domains/store.ts';
import { findOwnOrigins } from '../../../server/redirects/own-origins.ts';

let db: Db;
beforeAll(async () => {
  db = openDatabase({ file: ':memory:', transactions: 'immediate', durable: false });
  await migrate(db);
  await sql`pragma foreign_keys = off`.execute(db);
  await insertFormerSlug(db, 'blog-1', 'pen');
  await insertFormerSlug(db, 'blog-2', 'other');
  await assignHost(db, { blogId: 'blog-1', hostname: 'old.example' }, '');
});
afterAll(() => db.destroy());

const originsOf = async (config: { readonly blogHost: string; readonly rootBlog: string | null }) => {
  const blog = { id: 'blog-1', slug: 'ink', customDomain: 'soon.example' };
  const found = await findOwnOrigins(db, blog, blogUrlOf({ blogProtocol: 'https:', ...config }));
  return [...found].sort();
};

const both = (...hosts: readonly string[]) =>
  hosts.flatMap((host) => [`http://${host}`, `https://${host}`]).sort();

it('a blog is found below the blogs’ host, at the root, by former slugs and at custom domains', async () => {
  const hosts = ['ink.blogs.example', 'pen.blogs.example', 'old.example', 'soon.example'];
  expect(await originsOf({ blogHost: 'blogs.example', rootBlog: null })).toEqual(both(...hosts));
  expect(await originsOf({ blogHost: 'blogs.example', rootBlog: 'ink' })).toEqual(
    both('blogs.example', ...hosts),
  );
});

it('a blog is found on the port of the blogs’ host', async () => {
  const origins = await originsOf({ blogHost: 'localhost:3000', rootBlog: 'ink' });
  expect(origins).toEqual(expect.arrayContaining(['http://localhost:3000', 'http://ink.localhost:3000']));
});
