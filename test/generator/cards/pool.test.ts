// Slow: starts processes that load fonts, and waits for timeouts and for idle processes to end.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { drawCard } from '../../../generator/cards/draw.ts';
import { createCardPool } from '../../../generator/cards/pool.ts';
import type { Card } from '../../../generator/page.ts';

const { resolve } = createRequire(import.meta.url);

function card(title: string): Card {
  const date = '2026-03-14T09:30:00.000Z';
  return {
    title,
    blogName: 'The Press',
    description: null,
    host: 'press.example',
    date,
    lang: null,
    accent: null,
    icon: null,
  };
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'platen-card-pool-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A stub that draws nothing and answers with its process id, unless the title requests something else. */
function program(): string {
  const file = join(folder, 'program.mjs');
  writeFileSync(
    file,
    `process.on('message', ({ card }) => {
      if (card.title === 'die') process.exit(3);
      if (card.title === 'hang') for (;;);
      if (card.title === 'fail') process.send({ failure: 'no such letter' });
      else process.send({ png: process.pid });
    });`,
  );
  return file;
}

it('a card pool draws the same as drawCard, several cards at once', async () => {
  const pool = createCardPool();
  const cards = ['One', '二', 'ثلاثة'].map(card);
  const drawn = await Promise.all(cards.map((each) => pool.draw(each)));
  await pool.close();
  expect(drawn.map(Buffer.from)).toEqual((await Promise.all(cards.map(drawCard))).map(Buffer.from));
});

it('a card pool works inside a worker thread', async () => {
  const file = resolve('#dist/generator/cards/pool.js');
  const source = `
    import { parentPort, workerData } from 'node:worker_threads';
    const { createCardPool } = await import(workerData.file);
    const pool = createCardPool();
    parentPort.postMessage(await pool.draw(workerData.card));
    await pool.close();`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
    workerData: { file: pathToFileURL(file).href, card: card('Nested') },
  });
  const [png] = await once(worker, 'message');
  // The thread ends by itself once it has nothing left to wait for.
  await once(worker, 'exit');
  expect(Buffer.from(png)).toEqual(Buffer.from(await drawCard(card('Nested'))));
});

it('a card pool keeps one process for each card drawn at once, until it has been idle for a while', async () => {
  const pool = createCardPool({ program: program(), idleMs: 200 });
  const [first, second] = await Promise.all([pool.draw(card('a')), pool.draw(card('b'))]);
  expect(second).not.toBe(first);
  expect([first, second]).toContain(await pool.draw(card('c')));
  for (const pid of [first, second]) await expect.poll(() => isThere(Number(pid))).toBe(false);
  expect([first, second]).not.toContain(await pool.draw(card('d')));
  await pool.close();
});

it('a closed card pool ends every process, and each only after its card is drawn', async () => {
  const pool = createCardPool({ program: program() });
  const drawn = pool.draw(card('a'));
  await pool.close();
  expect(isThere(Number(await drawn))).toBe(false);
});

it('a card pool rejects a card that kills its process, takes too long or cannot be drawn, and draws the next', async () => {
  const pool = createCardPool({ program: program(), timeoutMs: 5_000 });
  await expect(pool.draw(card('die'))).rejects.toThrow('The process that draws cards has ended (code 3)');
  await expect(pool.draw(card('fail'))).rejects.toThrow('no such letter');
  await expect(pool.draw(card('hang'))).rejects.toThrow('The process that draws cards has ended (SIGKILL)');
  expect(await pool.draw(card('a'))).toEqual(expect.any(Number));
  await pool.close();
});

it('a card process ignores the signals that stop the server, and exits when its parent is gone', async () => {
  const child = fork(resolve('#dist/generator/cards/process.js'), { serialization: 'advanced' });
  child.send({ card: card('One') });
  await once(child, 'message');
  child.kill('SIGINT');
  child.kill('SIGTERM');
  child.send({ card: card('Two') });
  expect(await once(child, 'message')).toEqual([{ png: await drawCard(card('Two')) }, undefined]);
  // The same happens if the server is gone for any reason.
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
