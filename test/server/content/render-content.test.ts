import { expect, it } from 'vitest';
import { MarkdownRefused } from '../../../generator/markdown/refused.ts';
import { TooMuchWaiting } from '../../../generator/workers/fair-queue.ts';
import { createRenderContent } from '../../../server/content/render-content.ts';
import { presentError } from '../../../server/http/errors.ts';

const answerTo = async (failure: Error) => {
  const renderContent = createRenderContent(() => Promise.reject(failure));
  const error = await renderContent('# a', 'somebody').catch((error: unknown) => error);
  return presentError(error, 'https://platen.example.org');
};

it('a refused source is a client error with the reason', async () => {
  const { status, body } = await answerTo(new MarkdownRefused('The post has too many lines.'));
  expect(status).toBe(400);
  expect(body).toEqual({
    error: 'bad_request',
    message: 'content: The post has too many lines.',
    docs: 'https://platen.example.org/docs/markdown/#limits',
  });
});

it('too many waiting posts are a 429 with a time to retry', async () => {
  const { status, body } = await answerTo(new TooMuchWaiting('100 are waiting already'));
  expect(status).toBe(429);
  expect(body).toMatchObject({ error: 'rate_limit_exceeded', retry_after: 5 });
});

it('an internal failure is not blamed on the source', async () => {
  expect((await answerTo(new Error('the disk is full'))).status).toBe(500);
});
