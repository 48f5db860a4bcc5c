import type { KeyValueMirror } from '../../generator/edge/cloudfront/key-value-mirror.ts';
import type { BuildTools } from '../build/build-tools.ts';
import { DomainError } from '../runtime/errors.ts';
import { type Drift, type DriftKind, driftKinds, type OnDrift } from './drift.ts';
import type { Progress } from './progress.ts';
import { type ScanTools, scanHosts, scanMedia, scanSites } from './scan-files.ts';
import { scanKeys } from './scan-keys.ts';
import { scanPages } from './scan-pages.ts';
import { countPendingWork, type EdgeBlog, findEdgeBlog, listEdgeBlogs, type PendingWork } from './store.ts';

export interface VerifyTools extends BuildTools, Pick<ScanTools, 'db' | 'edge'> {
  /** The edge's description for the report. */
  readonly edgeName: string;
  /** The key-value mirror; null if the edge has none. */
  readonly mirror: KeyValueMirror | null;
  readonly progress: Progress;
}

export interface VerifyOptions {
  /** Slug of the only blog to check; null for all. */
  readonly blog: string | null;
  /** Whether to skip reading files and rendering pages. */
  readonly quick: boolean;
}

/** The result of a verification. */
export interface Verification {
  readonly edge: string;
  readonly blogs: number;
  readonly files: number;
  readonly waiting: PendingWork;
  readonly counts: Readonly<Record<DriftKind, number>>;
  /** The first differences, at most `MAX_LISTED` of each kind. */
  readonly drift: readonly Drift[];
  readonly isInStep: boolean;
}

/** Differences of each kind that are listed. All are counted. */
const MAX_LISTED = 1_000;

/** Compares database, manifest and edge, also while a server publishes. Changes nothing. */
export async function verify(
  tools: VerifyTools,
  { blog: slug, quick }: VerifyOptions,
  onDrift: OnDrift = async () => {},
): Promise<Verification> {
  const { db, progress } = tools;
  const blog = slug === null ? null : await findBlogBySlug(tools, slug);
  const counts: Record<DriftKind, number> = {
    missing: 0,
    different: 0,
    uncertain: 0,
    orphaned: 0,
    outdated: 0,
    lost: 0,
    unmirrored: 0,
  };
  const listed: Drift[] = [];
  let files = 0;
  const recordDrift: OnDrift = async (drift) => {
    counts[drift.kind] += 1;
    if (counts[drift.kind] <= MAX_LISTED) listed.push(drift);
    await onDrift(drift);
  };
  const onFile = () => {
    files += 1;
    progress.advance();
  };

  const scan: ScanTools = { ...tools, blog, quick, onDrift: recordDrift, onFile };
  progress.begin('files');
  await scanSites(scan);
  await scanHosts(scan);
  progress.begin('images');
  await scanMedia(scan);
  if (tools.mirror && !quick) {
    progress.begin('hosts and headers at CloudFront');
    await scanKeys({ ...scan, mirror: tools.mirror });
  }
  const blogs = blog ? [blog] : await listEdgeBlogs(db);
  if (!quick) {
    progress.begin('blogs', blogs.length);
    for (const one of blogs) {
      await scanPages(tools, one, recordDrift);
      progress.advance();
    }
  }
  progress.end();
  const waiting = await countPendingWork(db, blog?.id ?? null);
  return {
    edge: tools.edgeName,
    blogs: blogs.length,
    files,
    waiting,
    counts,
    drift: listed,
    // Failed rebuilds are retried, but the retries may fail, too.
    isInStep: waiting.failed === 0 && driftKinds.every((kind) => counts[kind] === 0),
  };
}

async function findBlogBySlug({ db }: VerifyTools, slug: string): Promise<EdgeBlog> {
  const blog = await findEdgeBlog(db, { slug });
  if (!blog) throw new DomainError('not_found', `there is no blog with the slug ${slug}`);
  return blog;
}
