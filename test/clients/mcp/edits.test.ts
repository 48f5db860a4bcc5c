import { describe, expect, it } from 'vitest';
import { withEdits } from '../../../clients/mcp/tools/edits.ts';
import { positionOf } from '../../../clients/mcp/tools/position.ts';

describe('the position of a passage', () => {
  it.each([
    ['short', 'ink', 'black ink, blue ink'],
    ['at the end', 'ink', 'black ink'],
    ['longer than the text', 'inks', 'ink'],
    ['whose beginning comes before it, and again within it', 'abcabd', 'abcabcabd-abcab'],
    ['long, in a text of its beginnings', `${'a'.repeat(200)}b`, `${'a'.repeat(900)}b${'a'.repeat(900)}`],
    ['long, after beginnings that overlap', `${'ab'.repeat(99)}c`, `${'ab'.repeat(300)}c`],
    ['long, and nearly there', `${'ab'.repeat(99)}c`, `${'ab'.repeat(300)}d`],
    ['long, and there all the time', 'a'.repeat(200), 'a'.repeat(500)],
  ])('%s is that of the search that is built in', (_, passage, text) => {
    for (const from of [0, 1, 7, 250, text.length])
      expect(positionOf(passage, text, from)).toBe(from > text.length ? -1 : text.indexOf(passage, from));
  });

  it('is found in linear time, however often the passage begins', () => {
    const text = 'a'.repeat(1_000_000);
    expect(positionOf(`${'a'.repeat(400_000)}b`, text, 0)).toBe(-1);
    expect(positionOf(`${'a'.repeat(100)}b${'a'.repeat(400_000)}`, text, 0)).toBe(-1);
    expect(positionOf(`${'a'.repeat(400_000)}b`, `${text}b`, 0)).toBe(600_000);
  });
});

describe('edits', () => {
  const text = `${'The quick brown fox jumps. '.repeat(38_000)}End.`;
  const edits = Array.from({ length: 50 }, (_, i) => ({
    find: `End.${'!'.repeat(i)}`,
    replace: `End.${'!'.repeat(i + 1)}`,
  }));

  it('of a long post let other work run between them', async () => {
    let turns = 0;
    const turn = () => {
      turns += 1;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    const edited = await withEdits(text, edits);
    clearImmediate(next);
    expect(edited).toBe(`${text}${'!'.repeat(50)}`);
    expect(turns).toBeGreaterThanOrEqual(edits.length - 2);
  });

  it('end when the caller has gone', async () => {
    const caller = new AbortController();
    const edited = withEdits(text, edits, caller.signal);
    caller.abort();
    await expect(edited).rejects.toThrow('aborted');
  });
});
