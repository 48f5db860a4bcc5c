import { expect } from 'vitest';
import type { Answer } from './platen.ts';

const codes: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  412: 'precondition_failed',
  415: 'unsupported_media_type',
  429: 'rate_limit_exceeded',
};

/** Expects the interface's error object, with the code of the status and only the allowed fields. Any may link to
 * a guide. */
export function expectRefusal(
  answer: Answer,
  status: keyof typeof codes,
  message: RegExp,
  extras: readonly string[] = [],
): void {
  expect({ status: answer.status, ...answer.json }).toMatchObject({
    status,
    error: codes[status],
    message: expect.stringMatching(message),
  });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  // Only what is wrong with an input has a list of errors, and it says the same as the message.
  const { errors, warnings, docs, ...others } = answer.json;
  if (docs !== undefined) expect(docs).toMatch(/^https?:\/\/[^/]+\/docs\/\w+\//);
  expect(Object.keys(others).sort()).toEqual(['error', 'message', ...extras].sort());
  if (status !== 400) expect([errors, warnings]).toEqual([undefined, undefined]);
  if (errors !== undefined) expect(answer.json.message.split('\n').slice(0, 10)).toEqual(errors.map(inWords));
}

const inWords = ({ field, message }: { readonly field?: string; readonly message: string }): string =>
  field === undefined ? message : `${field}: ${message}`;
