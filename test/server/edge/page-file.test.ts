import { statSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import * as encodings from '../../../server/edge/encodings.ts';
import { createPageFile } from '../../../server/edge/page-file.ts';

vi.mock(import('../../../server/edge/encodings.ts'), { spy: true });

it('a failed compression is tried again for the next reader', async () => {
  const bytes = Buffer.from('<p>Ink.</p>'.repeat(100));
  const file = createPageFile({ path: 'index.html', bytes, stats: statSync('.') }, () => {});
  vi.mocked(encodings.compress).mockRejectedValueOnce(new Error('no memory'));
  await expect(file.encode('br')).rejects.toThrow('no memory');
  const form = await file.encode('br');
  expect(form).toMatchObject({ encoding: 'br' });
  expect(form.bytes.length).toBeLessThan(bytes.length);
});
