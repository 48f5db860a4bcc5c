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

/** Expects the interface's error object, with the code of the status and only the allowed fields. */
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
  expect(Object.keys(answer.json).sort()).toEqual(['error', 'message', ...extras].sort());
}
