import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, openConnection } from './connection.ts';
import type { LoadOrder, LoadReport } from './generate-load.ts';

/** Load generator process: receives an order from its parent, reports and exits. */
const order = await new Promise<LoadOrder>((resolve) => process.once('message', resolve));
const requests = order.requests.map((request) => Buffer.from(request));
const connections = await Promise.all(
  Array.from({ length: order.connections }, () => openConnection(order.port)),
);
const times: number[] = [];
const bodies: string[] = [];
let sent = 0;

const started = performance.now();
const end = order.seconds === null ? Number.POSITIVE_INFINITY : started + order.seconds * 1000;
await (order.perSecond === null ? inClosedLoop() : inOpenLoop(order.perSecond));
const seconds = (performance.now() - started) / 1000;
for (const connection of connections) connection.close();
const report: LoadReport = { seconds, responses: times.length, times, bodies };
// Disconnecting ends the process, because nothing else keeps it alive.
process.send?.(report, () => process.disconnect());

function nextRequest(): Buffer | null {
  if (order.seconds === null && sent >= requests.length) return null;
  return performance.now() < end ? (requests[sent++ % requests.length] ?? null) : null;
}

async function inClosedLoop(): Promise<void> {
  const loop = async (connection: Connection) => {
    for (let next = nextRequest(); next; next = nextRequest())
      await send(connection, next, performance.now());
  };
  await Promise.all(connections.map(loop));
}

/** Latency counts from the scheduled time of a request, so waiting for a free connection is included. */
async function inOpenLoop(perSecond: number): Promise<void> {
  const loop = async (connection: Connection) => {
    for (let next = nextRequest(); next; next = nextRequest()) {
      const due = started + ((sent - 1) * 1000) / perSecond;
      if (due > performance.now()) await sleep(due - performance.now());
      // Timers may fire up to a millisecond early.
      await send(connection, next, Math.min(due, performance.now()));
    }
  };
  await Promise.all(connections.map(loop));
}

async function send(connection: Connection, request: Buffer, due: number): Promise<void> {
  const { status, body } = await connection.send(request);
  times.push(performance.now() - due);
  if (order.keepBodies) bodies.push(body.toString());
  if (status < 200 || status > 299) throw new Error(`response status ${status}: ${body}`);
}
