import { once } from 'node:events';
import { z } from 'zod';
import type { Scratch } from '../support/scratch.ts';

/** What the process that makes load is told. */
export interface Order {
  readonly port: number;
  /** Whole requests, as they go over the wire, sent in turns. */
  readonly requests: readonly string[];
  readonly connections: number;
  /** For how long; null: until each request was sent once. */
  readonly seconds: number | null;
  /** How many a second, whether or not the ones before are answered; null: each connection sends its next at once. */
  readonly perSecond: number | null;
  /** Whether the answers' bodies are wanted. */
  readonly keep: boolean;
}

const loadReport = z.object({
  /** From the first request to the last answer. */
  seconds: z.number(),
  answers: z.number(),
  /** Milliseconds of each request, from when it was to be sent. */
  times: z.array(z.number()),
  bodies: z.array(z.string()),
});
export type LoadReport = z.infer<typeof loadReport>;

/** Makes load in a process of its own. Rejects where an answer is no success. */
export async function makeLoad(scratch: Scratch, order: Order): Promise<LoadReport> {
  const child = scratch.start('scripts/bench/load/generator.js', { NODE_ENV: 'production' });
  let told: unknown;
  child.on('message', (message) => {
    told = message;
  });
  child.send(order);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error('the load could not be made');
  return loadReport.parse(told);
}

/** A request as it goes over the wire. */
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
