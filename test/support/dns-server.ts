import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** What the server says of a name: its records, that it cannot tell, nothing at all, or bytes of the test's own. */
export type DnsAnswer =
  | { readonly cname?: string; readonly a?: readonly string[]; readonly aaaa?: readonly string[] }
  | 'servfail'
  | 'silence'
  | ((query: Buffer) => Buffer);

/** A resolver on a UDP port of its own. A name that is not in its zone does not exist. */
export interface DnsServer {
  /** For `PLATEN_DNS_SERVERS`. */
  readonly address: string;
  /** Lower-case names, without a dot at the end. May be changed at any time. */
  readonly zone: Map<string, DnsAnswer>;
  /** What was asked: `CNAME www.example.org`. */
  readonly queries: string[];
  close(): void;
}

const types = new Map([
  [1, 'A'],
  [5, 'CNAME'],
  [28, 'AAAA'],
]);
const NOERROR = 0;
const SERVFAIL = 2;
const NXDOMAIN = 3;

export async function startDnsServer(): Promise<DnsServer> {
  const zone = new Map<string, DnsAnswer>();
  const queries: string[] = [];
  const socket = createSocket('udp4', (query, { port, address }) => {
    const { name, type, question } = readQuestion(query);
    queries.push(`${type} ${name}`);
    const answer = zone.get(name);
    if (answer === 'silence') return;
    const reply = typeof answer === 'function' ? answer(query) : replyTo(query, question, zone, name, type);
    socket.send(reply, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, zone, queries, close: () => socket.close() };
}

function readQuestion(query: Buffer): { name: string; type: string; question: Buffer } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = types.get(query.readUInt16BE(at + 1)) ?? 'OTHER';
  return { name: labels.join('.').toLowerCase(), type, question: query.subarray(12, at + 5) };
}

/** As a resolver does: what a name leads to is looked up as well, unless the CNAME itself was asked for. */
function replyTo(
  query: Buffer,
  question: Buffer,
  zone: DnsServer['zone'],
  asked: string,
  type: string,
): Buffer {
  const records: Buffer[] = [];
  let name = asked;
  let answer = zone.get(name);
  while (typeof answer === 'object' && answer.cname !== undefined && records.length < 10) {
    records.push(record(name, 5, encodeName(answer.cname)));
    if (type === 'CNAME') break;
    name = answer.cname.toLowerCase();
    answer = zone.get(name);
  }
  if (typeof answer === 'object' && type === 'A') {
    for (const a of answer.a ?? []) records.push(record(name, 1, Buffer.from(a.split('.').map(Number))));
  }
  if (typeof answer === 'object' && type === 'AAAA') {
    for (const aaaa of answer.aaaa ?? []) records.push(record(name, 28, encodeIpv6(aaaa)));
  }
  const code = answer === 'servfail' ? SERVFAIL : answer === undefined ? NXDOMAIN : NOERROR;
  const header = Buffer.alloc(12);
  header.writeUInt16BE(query.readUInt16BE(0), 0);
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, question, ...records]);
}

function record(name: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(60, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodeName(name), fixed, data]);
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from(label, 'latin1'));
  return Buffer.concat([...labels.flatMap((label) => [Buffer.from([label.length]), label]), Buffer.alloc(1)]);
}

/** All eight groups written out: `2001:db8:0:0:0:0:0:1`. */
function encodeIpv6(address: string): Buffer {
  const bytes = Buffer.alloc(16);
  for (const [n, group] of address.split(':').entries())
    bytes.writeUInt16BE(Number.parseInt(group, 16), n * 2);
  return bytes;
}
