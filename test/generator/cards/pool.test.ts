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
  return { title, blogName: 'The Press', host: 'press.example', date, lang: null, accent: null };
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'platen-card-pool-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A program that draws nothing and tells its process instead, unless the title says to do something else. */
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

it('draws what drawCard draws, several cards at once', async () => {
  const pool = createCardPool();
  const cards = ['One', '二', 'ثلاثة'].map(card);
  const drawn = await Promise.all(cards.map((each) => pool.draw(each)));
  await pool.close();
  expect(drawn.map(Buffer.from)).toEqual((await Promise.all(cards.map(drawCard))).map(Buffer.from));
});

it('works inside a worker thread', async () => {
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
  // With nothing left to wait for, the thread ends by itself.
  await once(worker, 'exit');
  expect(Buffer.from(png)).toEqual(Buffer.from(await drawCard(card('Nested'))));
});

it('keeps its processes, as many as cards are drawn at once, until there was nothing to draw for a while', async () => {
  const pool = createCardPool({ program: program(), idleMs: 200 });
  const [first, second] = await Promise.all([pool.draw(card('a')), pool.draw(card('b'))]);
  expect(second).not.toBe(first);
  expect([first, second]).toContain(await pool.draw(card('c')));
  for (const pid of [first, second]) await expect.poll(() => isThere(Number(pid))).toBe(false);
  expect([first, second]).not.toContain(await pool.draw(card('d')));
  await pool.close();
});

it('has no process left when it is closed, and lets none go before its card is drawn', async () => {
  const pool = createCardPool({ program: program() });
  const drawn = pool.draw(card('a'));
  await pool.close();
  expect(isThere(Number(await drawn))).toBe(false);
});

it('rejects a card of which its process dies, that takes too long, or cannot be drawn, and goes on', async () => {
  const pool = createCardPool({ program: program(), timeoutMs: 5_000 });
  await expect(pool.draw(card('die'))).rejects.toThrow('The process that draws cards has ended (code 3)');
  await expect(pool.draw(card('fail'))).rejects.toThrow('no such letter');
  await expect(pool.draw(card('hang'))).rejects.toThrow('The process that draws cards has ended (SIGKILL)');
  expect(await pool.draw(card('a'))).toEqual(expect.any(Number));
  await pool.close();
});

it('the process heeds no signal that stops the server with it, and goes when nobody is there to draw for', async () => {
  const child = fork(resolve('#dist/generator/cards/process.js'), { serialization: 'advanced' });
  child.send({ card: card('One') });
  await once(child, 'message');
  child.kill('SIGINT');
  child.kill('SIGTERM');
  child.send({ card: card('Two') });
  expect(await once(child, 'message')).toEqual([{ png: await drawCard(card('Two')) }, undefined]);
  // As it is when the server is gone, however it went.
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
