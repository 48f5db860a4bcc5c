import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LayoutRefused } from '../../../generator/layouts/refused.ts';
import { MarkdownRefused } from '../../../generator/markdown/refused.ts';
import { DomainError } from '../../../server/runtime/errors.ts';
import { guideSections } from '../../../server/runtime/guide-sections.ts';
import { translateRefusals } from '../../../server/runtime/refusals.ts';
import { guideUrlOf } from '../../../server/wire/error-guide.ts';

const upgradeUrl = 'https://platen.example.org/dashboard/billing';
const sectionOf = (error: unknown) => {
  if (!(error instanceof DomainError)) return expect.fail('not an error of ours');
  return guideUrlOf(error, 'https://platen.example.org')?.replace('https://platen.example.org/docs/', '');
};

it.each([
  [new DomainError('unauthorized', 'the API key was revoked'), 'accounts/#credentials'],
  [new DomainError('forbidden', 'the free plan has 10 posts', { upgradeUrl }), 'accounts/#plans'],
  [new DomainError('forbidden', 'no scope', { guide: 'scopes' }), 'accounts/#scopes'],
  [new DomainError('forbidden', 'the operator took this post down'), undefined],
  [new DomainError('precondition_failed', 'another version'), 'api/#conditional-writes'],
  [new DomainError('rate_limit_exceeded', 'too many requests'), 'api/#rate-limits'],
  [new DomainError('unsupported_media_type', 'the body must be JSON'), 'api/#bodies'],
  [new DomainError('conflict', 'taken', { guide: 'slugs' }), 'api/#slugs'],
  [new DomainError('conflict', 'not taken down'), undefined],
  [new DomainError('bad_request', 'content: is missing'), 'api/#posts'],
  [new DomainError('bad_request', 'content: must be at most 1048576 bytes'), 'markdown/#limits'],
  [new DomainError('bad_request', 'theme_config.layout: line 3: undefined filter'), 'layouts/'],
  [new DomainError('bad_request', 'hostname: must not be a wildcard'), 'domains/#names'],
  [new DomainError('bad_request', 'the body is not valid JSON'), 'api/#bodies'],
  [new DomainError('bad_request', 'settings.`colour`: is not a field of settings'), 'api/#mistakes'],
  [new DomainError('bad_request', 'scheduled_at: must be in the future'), 'api/#posts'],
  [new DomainError('bad_request', 'settings.front_page.page: the blog has no page'), 'api/#pages'],
  [new DomainError('bad_request', 'settings.icon: must be an image'), 'api/#images'],
  [new DomainError('bad_request', 'previous_slugs: "a" is the slug of the post itself'), 'api/#slugs'],
  [new DomainError('method_not_allowed', 'PUT is not allowed here'), 'api/#requests'],
  [new DomainError('bad_request', 'title: must not be empty'), undefined],
  [new DomainError('not_found', 'there is no post'), undefined],
])('the error "$message" leads to the section that explains it', (error, section) => {
  expect(sectionOf(error)).toBe(section);
});

it.each([
  ['content', new MarkdownRefused('too many lines'), 'markdown/#limits'],
  ['theme_config.layout', new LayoutRefused('line 1'), 'layouts/'],
])('a refused %s leads to its guide', async (field, refusal, section) => {
  const error = await translateRefusals(field, () => Promise.reject(refusal)).catch(
    (error: unknown) => error,
  );
  expect(sectionOf(error)).toBe(section);
});

it('every topic is that of an error', () => {
  const folder = new URL('../../../server/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const sources = files
    .filter((name) => !name.endsWith('guide-sections.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
  const unused = Object.keys(guideSections).filter((topic) => !sources.includes(`'${topic}'`));
  expect(unused).toEqual([]);
});
