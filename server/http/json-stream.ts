import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { openingOf } from './serialised-json.ts';

/** A response whose JSON, an object, is produced while it is sent, because it is too large to hold in memory. */
export class JsonStream {
  readonly #pieces: AsyncIterable<string>;

  constructor(chunks: AsyncIterable<string>) {
    this.#pieces = chunks;
  }

  /**
   * Sends the text as fast as the client reads it, with `warnings` unless there are none. Resolves also if the client
   * disconnects early.
   */
  async send(res: Response, warnings: readonly string[]): Promise<void> {
    res.type('json');
    if (res.req.method === 'HEAD') return void res.end();
    try {
      await pipeline(Readable.from(this.#withWarnings(warnings), { highWaterMark: 1 }), res);
    } catch (error) {
      if (!isClientDisconnect(error)) throw error;
    }
  }

  async *#withWarnings(warnings: readonly string[]): AsyncGenerator<string> {
    let isFirst = true;
    for await (const piece of this.#pieces) {
      yield isFirst ? openingOf(warnings) + piece.slice(1) : piece;
      isFirst = false;
    }
  }
}

const isClientDisconnect = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
