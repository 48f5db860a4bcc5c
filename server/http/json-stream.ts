import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** A response whose JSON is produced while it is sent, because it is too large to hold in memory. */
export class JsonStream {
  readonly #pieces: AsyncIterable<string>;

  constructor(chunks: AsyncIterable<string>) {
    this.#pieces = chunks;
  }

  /** Sends the text as fast as the client reads it. Resolves also if the client disconnects early. */
  async send(res: Response): Promise<void> {
    res.type('json');
    if (res.req.method === 'HEAD') return void res.end();
    try {
      await pipeline(Readable.from(this.#pieces, { highWaterMark: 1 }), res);
    } catch (error) {
      if (!isClientDisconnect(error)) throw error;
    }
  }
}

const isClientDisconnect = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
