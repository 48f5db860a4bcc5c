import { describe, expect, it } from 'vitest';
import type { OutputFile, Page } from '../../generator/page.ts';
import { type ManifestEntry, planPages } from '../../generator/plan.ts';

const file = (path: string, { key = `page:${path}`, hash = 'h1' } = {}): OutputFile => ({
  key,
  path,
  stage: 'posts',
  bytes: new Uint8Array(),
  hash,
});

const card = (path: string): Page => ({
  key: 'card:1',
  path,
  stage: 'cards',
  body: { kind: 'card', card: { title: '', blogName: '', host: '', date: '', lang: null, accent: null } },
});

const entry = (path: string, { page = `page:${path}`, hash = 'h1' } = {}): ManifestEntry => ({
  path,
  page,
  hash,
});

describe('a file is written', () => {
  it('where the edge has none at its path', () => {
    const files = [file('a'), file('b')];
    expect(planPages(files, [], [])).toEqual({
      write: files,
      added: new Set(files.map(({ path }) => path)),
      draw: [],
      gone: [],
    });
  });

  it('where the edge has other bytes, and only there', () => {
    const [same, changed] = [file('same'), file('changed', { hash: 'h2' })];
    const plan = planPages([same, changed], [], [entry('same'), entry('changed')]);
    expect(plan).toEqual({ write: [changed], added: new Set(), draw: [], gone: [] });
  });

  it('where a write was intended and never confirmed', () => {
    const uncertain = file('a');
    const plan = planPages([uncertain], [], [entry('a', { hash: '' })]);
    // It may not be there, so nothing may lead to it before it is written.
    expect([plan.write, plan.newPaths]).toEqual([[uncertain], new Set(['a'])]);
  });

  it('where another page had the same bytes at its path, so that the manifest learns whose they are', () => {
    const taken = file('a', { key: 'page:new' });
    expect(planPages([taken], [], [entry('a', { page: 'page:old' })])).toMatchObject({
      write: [taken],
      draw: [],
      gone: [],
    });
  });
});

describe('a file is gone', () => {
  it('where its page has moved or is no more', () => {
    const moved = file('new', { key: 'page:1' });
    const entries = [entry('old', { page: 'page:1' }), entry('ended', { page: 'page:2' })];
    expect(planPages([moved], [], entries)).toMatchObject({
      write: [moved],
      draw: [],
      gone: ['old', 'ended'],
    });
  });

  it('where nobody knows whether it was ever written', () => {
    expect(planPages([], [], [entry('a', { hash: '' })]).obsolete).toEqual(['a']);
  });

  it('not where another page takes its path over', () => {
    const heir = file('a', { key: 'page:2', hash: 'h2' });
    expect(planPages([heir], [], [entry('a', { page: 'page:1' })]).obsolete).toEqual([]);
  });

  it('where a card is wanted under another name', () => {
    const plan = planPages([], [card('og/new.png')], [entry('og/old.png', { page: 'card:1' })]);
    expect(plan).toMatchObject({ write: [], draw: [card('og/new.png')], gone: ['og/old.png'] });
  });
});

describe('a card is drawn', () => {
  it('where the edge has none of its name, whatever bytes it would have', () => {
    expect(planPages([], [card('og/1.png')], []).cardsToDraw).toEqual([card('og/1.png')]);
    expect(planPages([], [card('og/1.png')], [entry('og/1.png', { hash: 'any' })])).toMatchObject({
      write: [],
      draw: [],
      gone: [],
    });
  });

  it('where its write was intended and never confirmed', () => {
    expect(planPages([], [card('og/1.png')], [entry('og/1.png', { hash: '' })]).cardsToDraw).toHaveLength(1);
  });
});
