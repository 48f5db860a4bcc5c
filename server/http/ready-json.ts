import type { Response } from 'express';

/** An answer whose text and entity tag have been made already. */
export class ReadyJson {
  readonly etag: string;
  readonly #bytes: Buffer;

  constructor(answer: unknown, etag: string) {
    this.etag = etag;
    this.#bytes = Buffer.from(JSON.stringify(answer));
  }

  get length(): number {
    return this.#bytes.length;
  }

  send(res: Response): void {
    res.type('json').send(this.#bytes);
  }
}
