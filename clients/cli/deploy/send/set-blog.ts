import {
  BadRequestError,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  type PlatenError,
  PreconditionFailedError,
  responseOf,
  type UpdateBlog,
} from '../../../sdk/index.ts';
import type { FileMessage } from '../../folder/file-message.ts';
import { imagesIn, withImages } from '../../folder/folder-post.ts';
import { SETTINGS_FILE } from '../../folder/markdown-kind.ts';
import type { PlannedRedirect } from '../plan/blog-plan.ts';
import type { PreparedDeploy } from '../plan/prepare.ts';
import type { Uploads } from './uploads.ts';

type Note = (answer: { readonly rebuild_id?: string }) => void;
type Tell = (message: FileMessage) => void;

/** Sends the settings of `platen.yaml` if they are new. Settings that were changed in Platen stay, and are told. */
export async function setBlog(
  { blog: { settings }, options, state, patiently }: PreparedDeploy,
  uploads: Uploads,
  note: Note,
  fail: Tell,
): Promise<'set' | 'unchanged'> {
  if (settings === null) return 'unchanged';
  const marked = JSON.stringify(settings.fields);
  const fields: UpdateBlog = JSON.parse(withImages(marked, await uploads.addresses(imagesIn(marked))));
  const ifMatch = options.overwrite ? undefined : (state.blog?.etag ?? undefined);
  try {
    const answer = await patiently(() =>
      options.platen.blogs.update(options.blogId, fields, { ifMatch, signal: options.signal }),
    );
    note(answer);
    state.blog = { sent: settings.sent, etag: responseOf(answer).etag ?? null };
    return 'set';
  } catch (error) {
    if (error instanceof PreconditionFailedError) {
      fail({
        file: SETTINGS_FILE,
        message: 'the settings were changed in Platen since the last deploy: --overwrite replaces them',
      });
    } else if (
      error instanceof BadRequestError ||
      error instanceof ForbiddenError ||
      error instanceof ConflictError
    ) {
      fail({ file: SETTINGS_FILE, message: error.message });
    } else throw error;
    return 'unchanged';
  }
}

/** The API's limit for one request. */
const MAX_REDIRECTS = 1_000;

/** Sets the redirects of a plan. Returns how many; those that are refused are told, and keep no others away. */
export async function setRedirects(prepared: PreparedDeploy, note: Note, tell: Tell): Promise<number> {
  const { blog, options, state, patiently } = prepared;
  const { signal } = options;
  let count = 0;
  for (let at = 0; at < blog.redirects.length; at += MAX_REDIRECTS) {
    count += await setSome(blog.redirects.slice(at, at + MAX_REDIRECTS));
  }
  if (options.deleteMissing) {
    for (const from of blog.goneRedirects) await remove(from);
  }
  return count;

  async function setSome(redirects: readonly PlannedRedirect[]): Promise<number> {
    if (redirects.length === 0) return 0;
    try {
      const body = { redirects: redirects.map(({ from, to }) => ({ from, to })) };
      note(await patiently(() => options.platen.redirects.set(body, { signal })));
      for (const { from, to } of redirects) state.redirects[from] = to;
      return redirects.length;
    } catch (error) {
      if (error instanceof ForbiddenError) {
        for (const one of redirects) refuse(one, error);
        return 0;
      }
      if (!(error instanceof BadRequestError || error instanceof ConflictError)) throw error;
      return setWithoutRefused(redirects, error);
    }
  }

  /** One that is refused keeps all of a request away. The answer names the first ten, or one half of them is tried. */
  async function setWithoutRefused(
    redirects: readonly PlannedRedirect[],
    error: PlatenError,
  ): Promise<number> {
    const [first] = redirects;
    if (redirects.length === 1 && first) {
      refuse(first, error);
      return 0;
    }
    const bad = new Map(
      error.errors.map(({ field, message }) => [
        Number(/^redirects\[(\d+)\]/.exec(field ?? '')?.[1]),
        message,
      ]),
    );
    const refused = redirects.filter((_, at) => bad.has(at));
    if (refused.length > 0) {
      for (const [at, one] of redirects.entries())
        if (bad.has(at)) refuse(one, { message: bad.get(at) ?? '' });
      return setSome(redirects.filter((_, at) => !bad.has(at)));
    }
    const half = Math.ceil(redirects.length / 2);
    return (await setSome(redirects.slice(0, half))) + (await setSome(redirects.slice(half)));
  }

  function refuse({ file, from }: PlannedRedirect, { message }: { readonly message: string }): void {
    tell({ file, message: `${from} does not redirect to it: ${message}` });
  }

  async function remove(from: string): Promise<void> {
    try {
      note(await patiently(() => options.platen.redirects.removeAt(from, { signal })));
    } catch (error) {
      if (!(error instanceof NotFoundError || error instanceof BadRequestError)) throw error;
    }
    delete state.redirects[from];
  }
}
