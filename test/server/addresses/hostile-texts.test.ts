import { expect, it } from 'vitest';
import { language, translations } from '../../../server/addresses/schemas.ts';

/** Processor time, which a busy machine does not stretch. */
function milliseconds(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const variants = Array.from({ length: 60_000 }, (_, n) => `v${String(n).padStart(6, '0')}`).join('-');
const marks = `http://a${'\u0301\u0323'.repeat(100_000)}/`;

// The runtime takes seconds to minutes to find out whether such a text is a language tag, or an address.
it.each([
  ['a language tag', () => language.safeParse(`en-t-en-${variants}`)],
  ['an attribute of a language tag', () => language.safeParse(`en-u-${variants}`)],
  ['the host of a translation', () => translations.safeParse({ en: marks, de: marks })],
])('%s of hundreds of kilobytes is refused for its length before anything else', (_, parse) => {
  let parsed: ReturnType<typeof parse> | undefined;
  expect(milliseconds(() => (parsed = parse()))).toBeLessThan(250);
  expect(parsed?.error?.issues[0]?.message).toMatch(/^must be at most \d+ characters$/);
});
