import type { Response } from 'express';

/** A response that is already serialised, with its entity tag. It is an object with at least one field. */
export class SerialisedJson {
  readonly etag: string;
  readonly #bytes: Buffer;

  constructor(answer: object, etag: string) {
    this.etag = etag;
    this.#bytes = Buffer.from(JSON.stringify(answer));
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** Sends the response, with `warnings` unless there are none. */
  send(res: Response, warnings: readonly string[]): void {
    const opening = openingOf(warnings);
    const isPlain = opening === '{';
    res
      .type('json')
      .send(isPlain ? this.#bytes : Buffer.concat([Buffer.from(opening), this.#bytes.subarray(1)]));
  }
}

/** The beginning of a serialised object that has warnings, in place of its `{`. */
export const openingOf = (warnings: readonly string[]): string =>
  warnings.length === 0 ? '{' : `{"warnings":${JSON.stringify(warnings)},`;
