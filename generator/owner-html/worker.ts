import { markStart, type StartedAt } from '../workers/timed-run.ts';
import { OwnerHtmlRefused } from './refused.ts';
import { wholeHtml } from './whole-html.ts';

export interface OwnerHtmlTask {
  readonly html: string;
}

export type OwnerHtmlReply = { readonly whole: string } | { readonly refused: string };

/** The pool's worker thread. */
export default function work({ html, startedAt }: OwnerHtmlTask & { startedAt: StartedAt }): OwnerHtmlReply {
  markStart(startedAt);
  try {
    return { whole: wholeHtml(html) };
  } catch (error) {
    if (error instanceof OwnerHtmlRefused) return { refused: error.message };
    throw error;
  }
}
