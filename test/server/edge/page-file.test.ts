import { statSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => {
  vi.resetModules();
  vi.doMock(import('../../../server/edge/encodings.ts'), { spy: true });
});
// Later suites of this process need the real module.
afterEach(() => {
  vi.doUnmock(import('../../../server/edge/encodings.ts'));
  vi.resetModules();
});

it('a failed compression is tried again for the next reader', async () => {
  const encodings = await import('../../../server/edge/encodings.ts');
  const { createPageFile } = await import('../../../server/edge/page-file.ts');
  const bytes = Buffer.from('<p>Ink.</p>'.repeat(100));
  const file = createPageFile({ path: 'index.html', bytes, stats: statSync('.') }, () => {});
  vi.mocked(encodings.compress).mockRejectedValueOnce(new Error('no memory'));
  await expect(file.encode('br')).rejects.toThrow('no memory');
  const form = await file.encode('br');
  expect(form).toMatchObject({ encoding: 'br' });
  expect(form.bytes.length).toBeLessThan(bytes.length);
});
