import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../../server/database/database.ts';
import { openDatabase } from '../../../server/database/dialect.ts';
import { migrate } from '../../../server/database/migrate.ts';
import { MAX_DEPTH } from '../../../server/redirects/address-rules.ts';
import {
  assertFewFolders,
  assertNoFileIsFolder,
  MAX_REDIRECT_FOLDERS,
} from '../../../server/redirects/folders.ts';
import { saveRedirects } from '../../../server/redirects/store.ts';

let db: Db;
beforeAll(async () => {
  db = openDatabase({ file: ':memory:', transactions: 'immediate', durable: false });
  await migrate(db);
  await sql`pragma foreign_keys = off`.execute(db);
});
afterAll(() => db.destroy());

const save = (blogId: string, paths: readonly string[]) =>
  saveRedirects(
    db,
    blogId,
    paths.map((path) => ({
      ...{ id: `${blogId} ${path}`, path, target: '/' },
      ...{ createdAt: '', updatedAt: '' },
    })),
  );

describe('the folders of a blog’s redirects', () => {
  /** Each makes as many folders as a redirect can. */
  const deep = (count: number) =>
    Array.from({ length: count }, (_, n) => `${`${n}/`.repeat(MAX_DEPTH)}index.html`);
  const most = deep(MAX_REDIRECT_FOLDERS / MAX_DEPTH);

  it('are limited in sum, with those that are there', async () => {
    await expect(assertFewFolders(db, 'new', most)).resolves.toBeUndefined();
    await expect(assertFewFolders(db, 'new', [...most, 'one/more.html'])).rejects.toThrow(/at most 25000/);
    await save('full', most);
    await expect(assertFewFolders(db, 'full', ['more/x.html'])).rejects.toThrow(/at most 25000 different/);
    await save('nearly-full', most.slice(1));
    await expect(assertFewFolders(db, 'nearly-full', deep(1))).resolves.toBeUndefined();
  });

  it('count once each: another file in one of them is fine, and so are files at the root', async () => {
    await expect(assertFewFolders(db, 'full', ['1/1/new.html', 'new.html'])).resolves.toBeUndefined();
  });

  it('suffice for ten thousand redirects from dated or numbered addresses', async () => {
    const dated = Array.from({ length: 10_000 }, (_, n) => {
      const day = new Date(Date.UTC(2010, 0, 1 + (n % 3_650)));
      return `${day.toISOString().slice(0, 10).replaceAll('-', '/')}/title-${n}/index.html`;
    });
    await expect(assertFewFolders(db, 'dated', dated)).resolves.toBeUndefined();
    const numbered = Array.from({ length: 10_000 }, (_, n) => `questions/${n}/title-${n}/index.html`);
    await expect(assertFewFolders(db, 'numbered', numbered)).resolves.toBeUndefined();
  });
});

describe('a file of a redirect', () => {
  const created = (...paths: string[]) =>
    assertNoFileIsFolder(
      db,
      'blog',
      paths.map((path) => ({ path, target: '/', field: path })),
    );
  beforeAll(() => save('blog', ['a.php', 'b.php/1/index.html', 'c.php0', 'c.php-1', 'C.PHP/x.html']));

  it('is no folder of another, whichever comes first', async () => {
    await expect(created('x.html', 'a.php/1/y.html')).rejects.toThrow(
      /^a\.php\/1\/y\.html: \/a\.php is a file.* at \/a\.php first/,
    );
    await expect(created('b.php')).rejects.toThrow(/^b\.php: \/b\.php is a file.* at \/b\.php\/1\/ first/);
  });

  it('may be beside one, and have a name that begins like it', async () => {
    await expect(created('c.php', 'b.php/2/index.html', 'a.php1/x.html')).resolves.toBeUndefined();
  });
});
