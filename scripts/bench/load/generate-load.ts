import { z } from 'zod';
import { runChild } from '../support/run-child.ts';
import type { Scratch } from '../support/scratch.ts';

/** Order for the load generator process. */
export interface LoadOrder {
  readonly port: number;
  /** Complete HTTP requests as wire text, sent in rotation. */
  readonly requests: readonly string[];
  readonly connections: number;
  /** Duration; null: until each request was sent once. */
  readonly seconds: number | null;
  /** Open loop: requests per second, independent of responses. Null: closed loop, each connection sends at once. */
  readonly perSecond: number | null;
  /** Whether to return the response bodies. */
  readonly keepBodies: boolean;
}

const loadReport = z.object({
  /** From the first request to the last response. */
  seconds: z.number(),
  responses: z.number(),
  /** Latency of each request in milliseconds, from its scheduled time. */
  times: z.array(z.number()),
  bodies: z.array(z.string()),
});
export type LoadReport = z.infer<typeof loadReport>;

/** Generates load in a separate process. Rejects if any response is not a success. */
export async function generateLoad(scratch: Scratch, order: LoadOrder): Promise<LoadReport> {
  return runChild(scratch, 'load/load-generator', { NODE_ENV: 'production' }, loadReport, order);
}

/** An HTTP/1.1 request as wire text. */
export function wireRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): string {
  const all = { ...headers, ...(body && { 'Content-Length': String(Buffer.byteLength(body)) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}
