// Slow: starts a server in a process of its own.
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { dev } from '../../../clients/cli/commands/dev.ts';
import { folderOf, png, writeFiles } from './folder/folder-of.ts';

const serverEntry = createRequire(import.meta.url).resolve('#dist/server/main.js');

let controller = new AbortController();
let ended: Promise<unknown> = Promise.resolve();
afterEach(async () => {
  controller.abort();
  await ended;
});

/** Starts a preview. Resolves when it has printed its address. */
async function start(folder: string) {
  controller = new AbortController();
  let text = '';
  const print = (more: string) => {
    text += more;
  };
  const context = {
    cwd: '/',
    print,
    colours: false,
    signal: controller.signal,
    path: process.env.PATH,
    serverEntry,
  };
  const running = dev(context, folder);
  ended = running.catch(() => {});
  const printed = expect.poll(() => text, { interval: 50 }).toContain('The preview is at');
  await Promise.race([printed, running.then(() => expect.fail('ended'))]);
  const [url = ''] = /http:\/\/localhost:\d+/.exec(text) ?? [];
  const read = async (path: string) => (await fetch(url + path)).text();
  return { read, url, text: () => text, running };
}

describe('a preview', { timeout: 120_000 }, () => {
  it('shows the folder as it will be, drafts and images too, follows its changes, and leaves nothing', async () => {
    const folder = await folderOf({
      'a.md': '# Ink\n\n![press](i.png) [b](b.md)',
      'b.md': '---\ntitle: Paper\ndraft: true\n---\nText',
      'c.md': '---\ntitle: Later\ndate: 2099-01-01\n---\nText',
      'i.png': png(),
    });
    const { read, url, text, running } = await start(folder);
    expect(text()).toContain('b.md: is a draft: it is shown here as if it were published');
    const page = await read('/a/');
    expect(page).toContain('<h1 dir="auto">Ink</h1>');
    expect(page).toContain('new EventSource');
    const [, image = ''] = /<img[^>]* src="([^"]+)"/.exec(page) ?? [];
    expect(Buffer.from(await (await fetch(image)).arrayBuffer())).toEqual(png());
    expect(await read('/b/')).toContain('Paper');
    expect(await read('/c/')).toContain('Later');

    const changes = await fetch(`${url}/.platen-dev/changes`);
    const told = changes.body?.getReader();
    await told?.read();
    await writeFiles(folder, { 'a.md': '# Black ink\n\nText', 'd.md': '---\ndate: soon\n---\nText' });
    await rm(join(folder, 'b.md'));
    expect(Buffer.from((await told?.read())?.value ?? []).toString()).toBe('data: changed\n\n');
    await expect.poll(() => read('/a/')).toContain('Black ink');
    await expect.poll(async () => (await fetch(`${url}/b/`)).status).toBe(404);
    expect(text()).toContain('d.md:2: `date` must be a date');

    controller.abort();
    expect(await running).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
  });

  it('says how to get the server where there is none, and what is wrong with the folder', async () => {
    const context = { cwd: '/', print() {}, colours: false, signal: new AbortController().signal };
    const folder = await folderOf({ 'a.md': 'A' });
    await expect(dev({ ...context, serverEntry: null }, folder)).rejects.toThrow(
      'the server of Platen is not on this machine',
    );
    await expect(dev({ ...context, serverEntry: null }, join(folder, 'gone'))).rejects.toThrow(
      'cannot be read as a folder (ENOENT)',
    );
  });
});
