import type { Response } from 'express';

/** A response that is already serialised, with its entity tag. */
export class SerialisedJson {
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
