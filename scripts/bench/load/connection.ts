import { once } from 'node:events';
import { createConnection } from 'node:net';

export interface HttpResponse {
  readonly status: number;
  /** Raw bytes, so that unused bodies are not decoded. */
  readonly body: Buffer;
}

/** A minimal HTTP connection for sequential requests. It needs a tenth of the CPU time of `node:http`. */
export interface Connection {
  send(request: Uint8Array): Promise<HttpResponse>;
  close(): void;
}

const NOTHING = Buffer.alloc(0);
const END_OF_HEADERS = '\r\n\r\n';

export async function openConnection(port: number): Promise<Connection> {
  const socket = createConnection({ port, host: 'localhost', noDelay: true });
  await once(socket, 'connect');
  let received: Buffer = NOTHING;
  let succeed: (reply: HttpResponse) => void = () => {};
  let fail: (error: Error) => void = () => {};
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const reply = parseResponse(received);
    if (reply === null) return;
    received = NOTHING;
    succeed(reply);
  });
  socket.on('error', (error) => fail(error)).on('close', () => fail(new Error('the connection was closed')));
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        succeed = resolve;
        fail = reject;
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

/** Null until the reply is complete. Throws if it has no Content-Length, which all measured responses have. */
function parseResponse(received: Buffer): HttpResponse | null {
  const end = received.indexOf(END_OF_HEADERS);
  if (end < 0) return null;
  const head = received.toString('latin1', 0, end);
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length === undefined) throw new Error(`a response without Content-Length: ${head.split('\r\n')[0]}`);
  const from = end + END_OF_HEADERS.length;
  if (received.length < from + Number(length)) return null;
  return { status: Number(head.slice(9, 12)), body: received.subarray(from, from + Number(length)) };
}
