import { describe, expect, it, test } from 'vitest';
import {
  ConnectionError,
  NotFoundError,
  PlatenError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from '../../../clients/sdk/errors.ts';
import { delayBefore, parseRetryAfter } from '../../../clients/sdk/retry.ts';
import { type Sendable, send, sleep } from '../../../clients/sdk/send.ts';

const request: Sendable = {
  url: 'http://platen.test/v1/posts',
  method: 'POST',
  headers: {},
  body: '{}',
  name: 'POST http://platen.test/v1/posts',
  isRepeatable: true,
  maxRetries: 3,
  timeout: 1_000,
  totalTimeout: 60_000,
  signal: undefined,
};

const refusal = (status: number, error: string, extra: object = {}, headers: Record<string, string> = {}) =>
  Response.json({ error, message: `it is ${error}`, ...extra }, { status, headers });

/** Sends the request to a server that gives these answers, one after the other. A pause only moves the clock. */
async function sendTo(answers: readonly (Response | Error)[], changes: Partial<Sendable> = {}) {
  const pauses: number[] = [];
  let time = 0;
  let attempts = 0;
  const outcome = await send(
    { ...request, ...changes },
    {
      fetch: async () => {
        const answer = answers[attempts++];
        if (answer instanceof Response) return answer;
        throw answer ?? new Error('there was one attempt too many');
      },
      now: () => time,
      random: () => 0.5,
      sleep: async (milliseconds) => {
        pauses.push(milliseconds);
        time += milliseconds;
      },
    },
  ).catch((error: unknown) => error);
  return { outcome, attempts, pauses };
}

const done = () => Response.json({ slug: 'hello' });
const broken = () =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(''), { code: 'ECONNREFUSED' }) });

describe('another attempt follows', () => {
  it.each<[string, () => Response | Error]>([
    ['a connection that fails', broken],
    ['a 429', () => refusal(429, 'rate_limit_exceeded')],
    ['a 500', () => refusal(500, 'internal_error')],
    ['a 502 of a proxy', () => new Response('<h1>Bad Gateway</h1>', { status: 502 })],
    ['a 503', () => refusal(503, 'service_unavailable')],
    ['a 504 of a proxy', () => new Response('', { status: 504 })],
    ['a 409 of an attempt under way', () => refusal(409, 'conflict', {}, { 'Retry-After': '1' })],
  ])('after %s', async (_name, failure) => {
    const { outcome, attempts, pauses } = await sendTo([failure(), done()]);
    expect([outcome, attempts, pauses.length]).toEqual([{ slug: 'hello' }, 2, 1]);
  });

  it('after a refusal (429, 503), also of a request that must not be carried out twice', async () => {
    const answers = [refusal(429, 'rate_limit_exceeded'), refusal(503, 'service_unavailable'), done()];
    expect((await sendTo(answers, { isRepeatable: false })).attempts).toBe(3);
  });
});

describe('no other attempt follows', () => {
  it.each<[string, () => Response | Error, typeof PlatenError]>([
    ['a 404', () => refusal(404, 'not_found'), NotFoundError],
    ['a 409 that stays', () => refusal(409, 'conflict'), PlatenError],
    ['a page of another server', () => new Response('<h1>Hello</h1>'), PlatenError],
    [
      'a redirect',
      () => new Response(null, { status: 301, headers: { Location: 'https://a.test/' } }),
      PlatenError,
    ],
  ])('after %s', async (_name, failure, kind) => {
    const { outcome, attempts } = await sendTo([failure(), done()]);
    expect(outcome).toBeInstanceOf(kind);
    expect(attempts).toBe(1);
  });

  it.each([broken, () => refusal(500, 'internal_error'), () => new Response('', { status: 502 })])(
    'if the request must not be carried out twice and may have been (%#)',
    async (failure) => {
      expect((await sendTo([failure(), done()], { isRepeatable: false })).attempts).toBe(1);
    },
  );

  it('after maxRetries of them', async () => {
    const { outcome, attempts, pauses } = await sendTo([broken(), broken(), broken(), broken(), done()]);
    expect(outcome).toBeInstanceOf(ConnectionError);
    expect(attempts).toBe(4);
    expect(pauses).toEqual([300, 600, 1_200]);
    expect(String(outcome)).toBe(
      'ConnectionError: cannot reach the server for POST http://platen.test/v1/posts: ECONNREFUSED',
    );
  });

  it('if it would be past the total time', async () => {
    const answers = [refusal(429, 'rate_limit_exceeded', { retry_after: 61 }), done()];
    const { outcome, attempts, pauses } = await sendTo(answers);
    expect(outcome).toBeInstanceOf(RateLimitError);
    expect(outcome).toMatchObject({ retryAfter: 61 });
    expect([attempts, pauses]).toEqual([1, []]);
    const sooner = [refusal(429, 'rate_limit_exceeded', { retry_after: 59 }), done()];
    expect((await sendTo(sooner)).pauses).toEqual([59_125]);
  });
});

describe('an abort', () => {
  it('ends an attempt with the reason of the signal, and no other follows', async () => {
    const controller = new AbortController();
    let attempts = 0;
    const hanging = send(
      { ...request, signal: controller.signal },
      {
        fetch: (_input, init) => {
          attempts += 1;
          queueMicrotask(() => controller.abort(new Error('enough')));
          return new Promise((_resolve, reject) =>
            init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
          );
        },
        now: Date.now,
        random: Math.random,
        sleep,
      },
    );
    await expect(hanging).rejects.toThrow('enough');
    expect(attempts).toBe(1);
  });

  it('ends a pause', async () => {
    const controller = new AbortController();
    const pause = sleep(60_000, controller.signal);
    controller.abort(new Error('enough'));
    await expect(pause).rejects.toThrow('enough');
    await expect(sleep(60_000, controller.signal)).rejects.toThrow('enough');
  });

  it('is not what a timeout is: that is a TimeoutError, after which another attempt follows', async () => {
    let attempts = 0;
    const slow = send(
      { ...request, timeout: 5, maxRetries: 1 },
      {
        fetch: (_input, init) => {
          attempts += 1;
          return new Promise((_resolve, reject) =>
            init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
          );
        },
        now: () => 0,
        random: Math.random,
        sleep: async () => {},
      },
    );
    await expect(slow).rejects.toBeInstanceOf(TimeoutError);
    expect(attempts).toBe(2);
  });
});

test('pauses grow to 8 seconds, and half of each is left to chance', () => {
  const error = new ServerError('internal_error', '');
  const between = (failures: number) => [0, 1].map((chance) => delayBefore(error, failures, () => chance));
  expect([1, 2, 3, 4, 5, 6, 7].map(between)).toEqual([
    [200, 400],
    [400, 800],
    [800, 1_600],
    [1_600, 3_200],
    [3_200, 6_400],
    [4_000, 8_000],
    [4_000, 8_000],
  ]);
});

test('Retry-After is a number of seconds or a date', () => {
  const now = Date.parse('2026-05-01T09:00:00.500Z');
  const seconds = (value: string | null) => parseRetryAfter(value, now);
  expect(seconds('0')).toBe(0);
  expect(seconds('120')).toBe(120);
  expect(seconds('Fri, 01 May 2026 09:00:31 GMT')).toBe(31);
  expect(seconds('Fri, 01 May 2026 08:00:00 GMT')).toBe(0);
  for (const wrong of [null, '', '-5', '1.5', 'soon', 'maybe later']) expect(seconds(wrong)).toBeUndefined();
});
