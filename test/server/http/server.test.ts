import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { closeServer, listen } from '../../../server/http/server.ts';

it('a port that somebody else has is refused with what to do about it', async () => {
  const first = createServer();
  const port = await listen(first, 0);
  await expect(listen(createServer(), port)).rejects.toThrow(
    `port ${port} is in use: stop what listens there, or set PORT to another one`,
  );
  await closeServer(first);
});
