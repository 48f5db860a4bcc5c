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
  body: {
    kind: 'card',
    card: {
      title: '',
      blogName: '',
      description: null,
      host: '',
      date: '',
      lang: null,
      accent: null,
      icon: null,
    },
  },
});

const entry = (path: string, { page = `page:${path}`, hash = 'h1' } = {}): ManifestEntry => ({
  path,
  page,
  hash,
});

describe('files that a plan writes', () => {
  it('a plan writes a file that the edge does not have', () => {
    const files = [file('a'), file('b')];
    expect(planPages(files, [], [])).toEqual({
      write: files,
      newPaths: new Set(files.map(({ path }) => path)),
      cardsToDraw: [],
      obsolete: [],
    });
  });

  it('a plan writes a file whose bytes differ on the edge, and no other', () => {
    const [same, changed] = [file('same'), file('changed', { hash: 'h2' })];
    const plan = planPages([same, changed], [], [entry('same'), entry('changed')]);
    expect(plan).toEqual({ write: [changed], newPaths: new Set(), cardsToDraw: [], obsolete: [] });
  });

  it('a plan writes a file whose earlier write was never confirmed', () => {
    const uncertain = file('a');
    const plan = planPages([uncertain], [], [entry('a', { hash: '' })]);
    // The file may be missing, so it must be written before anything that links to it.
    expect([plan.write, plan.newPaths]).toEqual([[uncertain], new Set(['a'])]);
  });

  it('a plan writes a file that had the same bytes for another page, so that the manifest records its new page', () => {
    const taken = file('a', { key: 'page:new' });
    expect(planPages([taken], [], [entry('a', { page: 'page:old' })])).toMatchObject({
      write: [taken],
      cardsToDraw: [],
      obsolete: [],
    });
  });
});

describe('files that a plan removes', () => {
  it('a plan removes the file of a page that moved or is gone', () => {
    const moved = file('new', { key: 'page:1' });
    const entries = [entry('old', { page: 'page:1' }), entry('ended', { page: 'page:2' })];
    expect(planPages([moved], [], entries)).toMatchObject({
      write: [moved],
      cardsToDraw: [],
      obsolete: ['old', 'ended'],
    });
  });

  it('a plan removes a file that may or may not have been written', () => {
    expect(planPages([], [], [entry('a', { hash: '' })]).obsolete).toEqual(['a']);
  });

  it('a plan keeps a file whose path another page takes over', () => {
    const heir = file('a', { key: 'page:2', hash: 'h2' });
    expect(planPages([heir], [], [entry('a', { page: 'page:1' })]).obsolete).toEqual([]);
  });

  it('a plan removes a card that is needed under another name', () => {
    const plan = planPages([], [card('og/new.png')], [entry('og/old.png', { page: 'card:1' })]);
    expect(plan).toMatchObject({ write: [], cardsToDraw: [card('og/new.png')], obsolete: ['og/old.png'] });
  });
});

describe('cards that a plan draws', () => {
  it('a plan draws a card that the edge does not have under its name', () => {
    expect(planPages([], [card('og/1.png')], []).cardsToDraw).toEqual([card('og/1.png')]);
    expect(planPages([], [card('og/1.png')], [entry('og/1.png', { hash: 'any' })])).toMatchObject({
      write: [],
      cardsToDraw: [],
      obsolete: [],
    });
  });

  it('a plan draws a card whose write was never confirmed', () => {
    expect(planPages([], [card('og/1.png')], [entry('og/1.png', { hash: '' })]).cardsToDraw).toHaveLength(1);
  });
});
