import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** An answer whose JSON text is made while it is sent, because all of it at once would be too much to hold. */
export class JsonStream {
  readonly #pieces: AsyncIterable<string>;

  constructor(pieces: AsyncIterable<string>) {
    this.#pieces = pieces;
  }

  /** Sends the text as fast as the client reads it. A client that leaves ends it; that is no failure. */
  async send(res: Response): Promise<void> {
    res.type('json');
    if (res.req.method === 'HEAD') return void res.end();
    try {
      await pipeline(Readable.from(this.#pieces, { highWaterMark: 1 }), res);
    } catch (error) {
      if (!hasLeft(error)) throw error;
    }
  }
}

const hasLeft = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
