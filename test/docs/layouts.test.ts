import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { samplePages } from '../../generator/layouts/samples.ts';
import { tryLayout } from '../../generator/layouts/try-layout.ts';

const text = readFileSync(new URL('../../docs/layouts.md', import.meta.url), 'utf8');

it('the layout in the documentation is a valid layout', () => {
  const [, layout] = /```liquid\n(.*?)```/s.exec(text) ?? expect.fail('there is none');
  tryLayout(layout ?? '');
});

it('the documentation names every kind of page that a layout meets', () => {
  const [, named = ''] = /^\| `page` \| `kind` \((.*?)\)/m.exec(text) ?? [];
  const kinds = samplePages.map(({ page }) => `\`${page.kind}\``);
  expect(named.split(', ').sort()).toEqual([...new Set(kinds)].sort());
});
