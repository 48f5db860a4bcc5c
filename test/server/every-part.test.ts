import { readdirSync } from 'node:fs';
import cron from 'node-cron';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { endpoints } from '../../server/app.ts';
import { jobs } from '../../server/jobs.ts';
import { startScheduler } from '../../server/scheduler.ts';
import { openWorkshop, type Workshop } from '../support/site-builder.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop();
});
afterAll(() => workshop.close());

const server = new URL('../../server/', import.meta.url);
const filesIn = (folder: string) =>
  readdirSync(new URL(folder, server), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );

/** Functions that a module of the server exports, by name. */
async function functionsOf(file: string) {
  const module: Record<string, unknown> = await import(new URL(file, server).href);
  return Object.entries(module).flatMap(([name, value]) =>
    typeof value === 'function' ? [{ name, value }] : [],
  );
}

it('the endpoints of every concept are served', async () => {
  const served = endpoints(workshop.services).map(({ id }) => id);
  const files = filesIn('.').filter((file) => /(?:^|[-/])routes\.ts$/.test(file));
  const functions = (await Promise.all(files.map(functionsOf))).flat();
  const declared = functions.filter(({ name }) => name.endsWith('Endpoints'));
  expect(declared.length).toBeGreaterThan(10);
  const ids = declared.flatMap(({ value }) =>
    z.array(z.object({ id: z.string() })).parse(value(workshop.services)),
  );
  const missing = ids.map(({ id }) => id).filter((id) => !served.includes(id));
  expect(missing, 'list them in server/app.ts').toEqual([]);
});

it('every job runs by the clock, under a name of its own', async () => {
  const stop = startScheduler(workshop.services);
  const running = [...cron.getTasks().values()].map(({ name }) => name);
  await stop();
  const names = jobs.map(({ name }) => name);
  expect(running.sort()).toEqual([...new Set(names)].sort());
  expect(running.length).toBe(names.length);
});
