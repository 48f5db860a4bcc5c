import { connect } from 'node:net';

/**
 * Sends raw bytes over a new connection, and resolves to everything received until the server closes it (so request
 * that): for requests that no client would send. With `hangUp` the client ends its side after the last byte.
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
