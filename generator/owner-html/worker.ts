import { markStart, type StartedAt } from '../workers/timed-run.ts';
import { closeHtml } from './balanced-html.ts';
import { OwnerHtmlRefused } from './refused.ts';

export interface OwnerHtmlTask {
  readonly html: string;
}

export type OwnerHtmlReply = { readonly closed: string } | { readonly refused: string };

/** The pool's worker thread. */
export default function work({ html, startedAt }: OwnerHtmlTask & { startedAt: StartedAt }): OwnerHtmlReply {
  markStart(startedAt);
  try {
    return { closed: closeHtml(html) };
  } catch (error) {
    if (error instanceof OwnerHtmlRefused) return { refused: error.message };
    throw error;
  }
}
