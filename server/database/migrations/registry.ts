import type { Migration } from 'kysely';
import * as initial from './0001-initial.ts';
import * as search from './0002-search.ts';
import * as images from './0003-images.ts';
import * as accounts from './0004-accounts.ts';
import * as blogs from './0005-blogs.ts';
import * as removals from './0006-removals.ts';
import * as revisions from './0007-revisions.ts';
import * as answers from './0008-answers.ts';
import * as renderings from './0009-renderings.ts';
import * as months from './0010-months.ts';
import * as settings from './0011-settings.ts';
import * as searchBases from './0012-search-bases.ts';
import * as imageVariants from './0013-image-variants.ts';
import * as translations from './0014-translations.ts';
import * as hosts from './0015-hosts.ts';
import * as slimContents from './0016-slim-contents.ts';
import * as firstBlog from './0017-first-blog.ts';
import * as invalidated from './0018-invalidated.ts';
import * as installation from './0019-installation.ts';
import * as leases from './0020-leases.ts';
import * as postVersions from './0021-post-versions.ts';
import * as publishedEdge from './0022-published-edge.ts';
import * as doubts from './0023-doubts.ts';
import * as mediaPaths from './0024-media-paths.ts';
import * as manifestHosts from './0025-manifest-hosts.ts';
import * as ownerHtml from './0026-owner-html.ts';
import * as suspects from './0027-suspects.ts';
import * as idempotency from './0028-idempotency.ts';
import * as takeDowns from './0029-take-downs.ts';
import * as auditLog from './0030-audit-log.ts';
import * as restingSlugs from './0031-resting-slugs.ts';
import * as mediaLibrary from './0032-media-library.ts';
import * as cardTurns from './0033-card-turns.ts';

/** All migrations by name, which is also their order. A new one is a file and a line here. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-initial': initial,
  '0002-search': search,
  '0003-images': images,
  '0004-accounts': accounts,
  '0005-blogs': blogs,
  '0006-removals': removals,
  '0007-revisions': revisions,
  '0008-answers': answers,
  '0009-renderings': renderings,
  '0010-months': months,
  '0011-settings': settings,
  '0012-search-bases': searchBases,
  '0013-image-variants': imageVariants,
  '0014-translations': translations,
  '0015-hosts': hosts,
  '0016-slim-contents': slimContents,
  '0017-first-blog': firstBlog,
  '0018-invalidated': invalidated,
  '0019-installation': installation,
  '0020-leases': leases,
  '0021-post-versions': postVersions,
  '0022-published-edge': publishedEdge,
  '0023-doubts': doubts,
  '0024-media-paths': mediaPaths,
  '0025-manifest-hosts': manifestHosts,
  '0026-owner-html': ownerHtml,
  '0027-suspects': suspects,
  '0028-idempotency': idempotency,
  '0029-take-downs': takeDowns,
  '0030-audit-log': auditLog,
  '0031-resting-slugs': restingSlugs,
  '0032-media-library': mediaLibrary,
  '0033-card-turns': cardTurns,
};
