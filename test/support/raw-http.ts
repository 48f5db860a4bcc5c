import { connect } from 'node:net';

/**
 * Sends bytes as they stand over a connection of their own and resolves to all that came back until the server
 * closed it (so ask it to): for requests that no client would make. With `hangUp` the client ends the connection
 * behind its last byte.
 */
export function exchange(port: number, bytes: string | Uint8Array, { hangUp = false } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, 'localhost')
      .setEncoding('utf8')
      .on('data', (chunk) => {
        received += chunk;
      })
      .on('error', reject)
      .on('close', () => resolve(received));
    if (hangUp) socket.end(bytes);
    else socket.write(bytes);
  });
}
