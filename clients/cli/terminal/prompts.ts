import type { Readable, Writable } from 'node:stream';

/** Questions to the person at the terminal. Each rejects with an AbortError if it is cancelled. */
export interface Prompts {
  confirm(question: string): Promise<boolean>;
  /** Asks for a text that is not shown. */
  secret(question: string): Promise<string>;
  /** Asks for a text; `preset` is taken if nothing is typed. */
  text(question: string, preset: string): Promise<string>;
}

export interface PromptStreams {
  readonly input: Readable;
  /** Standard error, so that standard output has only what was asked for. */
  readonly output: Writable;
  readonly signal: AbortSignal;
}

/** Loads the library of prompts at the first question. */
export function createPrompts(streams: PromptStreams): Prompts {
  const load = () => import('@clack/prompts');
  return {
    async confirm(message) {
      const { confirm, isCancel } = await load();
      const answer = await confirm({ ...streams, message, initialValue: false });
      if (isCancel(answer)) throw cancelled();
      return answer;
    },
    async secret(message) {
      const { password, isCancel } = await load();
      const validate = (typed: string | undefined) =>
        typed?.trim() ? undefined : 'Paste it, or press Ctrl-C.';
      const answer = await password({ ...streams, message, validate });
      if (isCancel(answer)) throw cancelled();
      return answer;
    },
    async text(message, preset) {
      const { text, isCancel } = await load();
      const answer = await text({ ...streams, message, placeholder: preset, defaultValue: preset });
      if (isCancel(answer)) throw cancelled();
      return answer;
    },
  };
}

/** Ctrl-C in a prompt is no signal, because the terminal is in raw mode then. */
const cancelled = (): DOMException => new DOMException('cancelled', 'AbortError');
