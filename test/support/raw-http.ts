import { connect } from 'node:net';

/**
 * Sends bytes as they stand over a connection of their own, ends it, and resolves to all that came back: for
 * requests that no client would make.
 */
export function exchange(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    connect(port, 'localhost')
      .setEncoding('utf8')
      .on('data', (chunk) => {
        received += chunk;
      })
      .on('error', reject)
      .on('close', () => resolve(received))
      .end(bytes);
  });
}
