import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { samplePages } from '../../generator/layouts/samples.ts';
import { tryLayout } from '../../generator/layouts/try-layout.ts';
import { layoutVariables, type Shape } from '../../generator/layouts/variables.ts';

const text = readFileSync(new URL('../../docs/layouts.md', import.meta.url), 'utf8');

it('the layout in the documentation is a valid layout', () => {
  const [, layout] = /```liquid\n(.*?)```/s.exec(text) ?? expect.fail('there is none');
  expect(tryLayout(layout ?? '')).toEqual({ first: [], more: 0 });
});

it('the documentation names every kind of page that a layout meets', () => {
  const [, named = ''] = /^\| `page` \| `kind` \((.*?)\)/m.exec(text) ?? [];
  const kinds = samplePages.map(({ page }) => `\`${page.kind}\``);
  expect(named.split(', ').sort()).toEqual([...new Set(kinds)].sort());
});

it('the documentation names every variable of a layout and all that it contains', () => {
  const { content, ...described } = layoutVariables.fields;
  expect(text).toContain('`{{ content }}` is the main part');
  for (const [name, shape] of Object.entries(described)) {
    const row = rowOf(name);
    const [, other = ''] = /in `(posts)`/.exec(row) ?? [];
    const named = [row, rowOf(other)].flatMap((text) => text.match(/(?<=`)[a-z_]+(?=`)/g) ?? []);
    expect(named, name).toEqual(expect.arrayContaining(namesIn(shape)));
  }
});

function rowOf(name: string): string {
  const [row = ''] = new RegExp(`^\\| \`${name}\` \\|.*$`, 'm').exec(text) ?? [];
  return row;
}

function namesIn(shape: Shape): string[] {
  if (shape === 'plain') return [];
  if ('entries' in shape) return namesIn(shape.entries);
  return Object.entries(shape.fields).flatMap(([name, field]) => [name, ...namesIn(field)]);
}
