import { describe, expect, it } from 'vitest';
import { nearestName } from '../../generator/nearest-name.ts';

const known = ['title', 'content', 'accent_color', 'per_page', 'q', 'tags', 'customCss'];

describe('the nearest of the known names', () => {
  it.each([
    ['accentColor', 'accent_color'],
    ['accent-color', 'accent_color'],
    ['ACCENT_COLOR', 'accent_color'],
    ['custom_css', 'customCss'],
    ['perpage', 'per_page'],
    ['Title ', 'title'],
  ])('is the same name in another style: %s', (given, name) => {
    expect(nearestName(given, known)).toBe(name);
  });

  it.each([
    ['titel', 'title'],
    ['tite', 'title'],
    ['ttitle', 'title'],
    ['tltle', 'title'],
    ['contnets', 'content'],
    ['tag', 'tags'],
    ['accent_colour', 'accent_color'],
    ['acent_colour', 'accent_color'],
  ])('is a few edits away: %s', (given, name) => {
    expect(nearestName(given, known)).toBe(name);
  });

  it.each(['tt', 'acnt_colours', 'x', 'body', '', '___', '标题'])('does not exist: %s', (given) => {
    expect(nearestName(given, known)).toBeNull();
  });

  it('is the one with the fewest edits, and the first of several', () => {
    expect(nearestName('tagx', ['tabs', 'tags'])).toBe('tags');
    expect(nearestName('tanks', ['tacks', 'talks'])).toBe('tacks');
  });

  it('is looked for among names of at most 40 characters', () => {
    const most = 'n'.repeat(40);
    expect(nearestName(most, [`${most.slice(1)}m`])).not.toBeNull();
    expect(nearestName(`${most}n`, [most])).toBeNull();
    expect(nearestName(most, [`${most}n`])).toBeNull();
  });

  it('takes no time to look for if the name is a megabyte long', () => {
    const start = performance.now();
    expect(nearestName('a_B-'.repeat(262_144), known)).toBeNull();
    expect(performance.now() - start).toBeLessThan(100);
  });
});
