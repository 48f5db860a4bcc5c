// Slow: starts and kills server processes, and waits for the comparison of the whole edge at the next start.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig } from '../../server/config/config.ts';
import { startPlaten } from '../../server/platen.ts';
import { readBootId, setRunningMark } from '../../server/runtime/running-mark.ts';
import { startChild } from '../support/child.ts';
import { freePort } from '../support/port.ts';
import { differences, readEdge } from '../support/site-builder.ts';

const key = `pk_live_${'k'.repeat(48)}`;

let dataDir: string;
let env: Record<string, string>;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'platen-test-'));
  env = { PORT: `${await freePort()}`, PLATEN_DATA_DIR: dataDir, PLATEN_API_KEY: key, LOG_LEVEL: 'silent' };
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const edgeFolder = () => join(dataDir, 'edge');
const edge = () => readEdge(edgeFolder(), 'starter');
const file = (path: string) => join(edgeFolder(), 'sites/starter', path);

async function api(method: string, path: string, body: object | null = null) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Prefer: 'wait=60' };
  const request = { method, headers, body: body && JSON.stringify(body) };
  const response = await fetch(`http://localhost:${env.PORT}/v1${path}`, request);
  expect([response.ok, response.headers.get('Preference-Applied')]).toEqual([true, 'wait=60']);
}

const publish = (title: string) => api('POST', '/posts', { title, content: 'Text.', status: 'published' });

/**
 * Publishes, kills the server, and undoes writes as a power loss may. Returns the files of the edge before the loss.
 */
async function loseMuch(): Promise<Map<string, string>> {
  const child = startChild(dataDir, env);
  await child.started;
  for (const title of ['One', 'Two', 'Gone']) await publish(title);
  const removed = readFileSync(file('gone/index.html'));
  const older = readFileSync(file('index.html'));
  await api('DELETE', '/posts/gone');
  await publish('Three');
  await expect.poll(() => existsSync(file('search/recent.json')), { timeout: 20_000 }).toBe(true);
  child.process.kill('SIGKILL');
  await child.exited;
  const before = edge();
  truncateSync(file('one/index.html'));
  writeFileSync(file('two/index.html'), Buffer.alloc(readFileSync(file('two/index.html')).length));
  rmSync(file('three'), { recursive: true });
  writeFileSync(file('index.html'), older);
  mkdirSync(dirname(file('gone/index.html')));
  writeFileSync(file('gone/index.html'), removed);
  return before;
}

const pages = (files: ReadonlyMap<string, string>) =>
  new Map([...files].filter(([path]) => !/^(?:pagefind|search|og)\//.test(path)));

it('a start after a reboot finds and repairs what the disk has lost', async () => {
  const before = await loseMuch();
  expect(differences(pages(edge()), pages(before))).toHaveLength(5);
  const platen = await startPlaten(readConfig(env), { bootId: 'another' });
  await expect.poll(() => differences(pages(edge()), pages(before)), { timeout: 60_000 }).toEqual([]);
  await expect
    .poll(() => readFileSync(join(dataDir, 'running'), 'utf8'), { timeout: 20_000 })
    .toBe('another\n');
  await platen.stop();
}, 180_000);

it('the next start repeats an interrupted comparison of the edge', async () => {
  const before = await loseMuch();
  const cut = await startPlaten(readConfig(env), { bootId: 'another' });
  await cut.stop();
  const platen = await startPlaten(readConfig(env), { bootId: 'another' });
  await expect.poll(() => differences(pages(edge()), pages(before)), { timeout: 60_000 }).toEqual([]);
  await platen.stop();
}, 180_000);

it('a running mark makes the edge uncertain only after a reboot, or if boots cannot be told apart', async () => {
  mkdirSync(edgeFolder());
  const isDoubtful = (bootId: string | null) => setRunningMark(dataDir, edgeFolder(), bootId).isUncertain;
  expect([isDoubtful('a'), isDoubtful('a'), isDoubtful('b'), isDoubtful('b')]).toEqual([
    false,
    false,
    true,
    true,
  ]);
  setRunningMark(dataDir, edgeFolder(), 'b').confirm();
  expect([isDoubtful('b'), isDoubtful(null)]).toEqual([false, true]);
  setRunningMark(dataDir, edgeFolder(), null).confirm();
  expect([isDoubtful(null), isDoubtful('b')]).toEqual([true, true]);
  if (process.platform === 'linux') expect(readBootId()).toMatch(/^[0-9a-f-]{36}$/);
});

it('a clean stop leaves no running mark, except after a power loss that is not settled yet', async () => {
  const mark = join(dataDir, 'running');
  mkdirSync(edgeFolder());
  await setRunningMark(dataDir, edgeFolder(), 'a').release();
  expect(existsSync(mark)).toBe(false);
  setRunningMark(dataDir, edgeFolder(), 'a');
  const doubtful = setRunningMark(dataDir, edgeFolder(), 'b');
  await doubtful.release();
  expect(readFileSync(mark, 'utf8')).toBe('a\n');
  doubtful.confirm();
  await doubtful.release();
  expect(existsSync(mark)).toBe(false);
});
