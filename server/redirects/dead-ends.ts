import { addressOf, fileOf, isOwnPath, ROOT } from '../../generator/addresses.ts';
import type { Db } from '../database/database.ts';
import { MAX_NAMED } from '../wire/mistake.ts';
import { fileOfTarget } from './address-rules.ts';
import { findAddressUses } from './address-uses.ts';
import type { DeadEnds, RedirectInput } from './redirect.ts';
import * as store from './store.ts';

/**
 * The redirects that lead to addresses of the blog at which readers find neither a post nor another redirect, of the
 * request or an earlier one. Of the blog's own pages, such as those of tags, none counts, because they come and go with
 * posts. `origins` are those of the blog.
 */
export async function findDeadEnds(
  db: Db,
  blogId: string,
  inputs: readonly RedirectInput[],
  origins: ReadonlySet<string>,
): Promise<DeadEnds> {
  const ends = inputs.flatMap(({ target, field }) => {
    const path = fileOfTarget(target, origins);
    return path === null || path === fileOf(ROOT) || isOwnPath(path) ? [] : [{ path, field }];
  });
  const paths = ends.map(({ path }) => path);
  const uses = await findAddressUses(db, blogId, paths);
  const redirects = await store.findTargets(db, blogId, paths);
  const given = new Set(inputs.map(({ path }) => path));
  const isRedirect = (path: string) => given.has(path) || redirects.has(path);
  const dead = ends.filter(({ path }) => !isRedirect(path) && !uses.has(path));
  const first = dead.slice(0, MAX_NAMED).map(({ path, field }) => ({
    field: field.replace(/from$/, 'to'),
    address: addressOf(path),
  }));
  return { first, more: dead.length - first.length };
}
