import { expect, it } from 'vitest';
import { createSectionSearch } from '../../../scripts/guides/find-sections.ts';

const section = (heading: string, text: string) => ({ address: heading, guide: 'API', heading, text });
const find = createSectionSearch([
  section('Dates in the past', 'A post may have an earlier date.'),
  section('Languages', 'Right-to-left posts are mirrored (RTL).'),
  section('Rate limits', 'How many requests an hour.'),
  section('Redirects', 'An earlier address leads on.'),
]);
const headings = (query: string) => find(query).sections.map(({ title }) => title);

it('a search finds the sections with every word, the last of which may be a prefix', () => {
  expect(headings('earlier da')).toEqual(['Dates in the past']);
  expect(headings('right-to-left')).toEqual(['Languages']);
  expect(headings('rtl')).toEqual(['Languages']);
  expect(find('earlier date')).toMatchObject({ isPartial: false, isCorrected: false });
});

it('words of questions do not keep a section from being found', () => {
  expect(headings('What is an earlier date?')).toEqual(['Dates in the past']);
  expect(find('What are the rate limits for posts of mine')).toMatchObject({ isPartial: true });
  expect(headings('What are the rate limits')).toEqual(['Rate limits']);
  expect(find('how do I limit the rate')).toMatchObject({ isPartial: false, query: 'limit rate' });
  expect(headings('how')).toEqual(['Rate limits']);
});

it('typing errors are mended before words are given up', () => {
  expect(find('the earlier adress')).toMatchObject({ isCorrected: true, query: 'earlier address' });
  expect(headings('the earlier adress')).toEqual(['Redirects']);
});

it('sections with some of the words are better than none, those with more of them first', () => {
  expect(headings('earlier address xylophone')).toEqual(['Redirects', 'Dates in the past']);
  expect(find('earlier xylophone').isPartial).toBe(true);
  expect(headings('xylophone')).toEqual([]);
});
