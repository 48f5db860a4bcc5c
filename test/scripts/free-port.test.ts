import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { nextFreePort } from '../../scripts/tools/free-port.ts';
import { freePort } from '../support/port.ts';

it('a free port is taken as it is, and one in use is passed over', async () => {
  const port = await freePort();
  expect(await nextFreePort(port)).toBe(port);
  const server = createServer().listen(port);
  await once(server, 'listening');
  expect(await nextFreePort(port)).toBeGreaterThan(port);
  await expect(nextFreePort(port, 1)).rejects.toThrow(`the ports ${port} to ${port} are all in use`);
  server.close();
  await once(server, 'close');
});
