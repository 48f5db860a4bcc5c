import dns2, { type Question, type Resource } from 'dns2';

const { Packet } = dns2;

/** The server's response for a name: its records, a failure, no response, or raw bytes. */
export type DnsAnswer =
  | { readonly cname?: string; readonly a?: readonly string[]; readonly aaaa?: readonly string[] }
  | 'servfail'
  | 'silence'
  | ((query: Buffer) => Buffer);

/** A resolver on a UDP port of its own. Names outside its zone do not exist. */
export interface DnsServer {
  /** Value for `PLATEN_DNS_SERVERS`. */
  readonly address: string;
  /** Records by lower-case name without a final dot. May be changed at any time. */
  readonly zone: Map<string, DnsAnswer>;
  /** Queries so far, as `CNAME www.example.org`. */
  readonly queries: string[];
  close(): void;
}

const SERVFAIL = 2;
const NXDOMAIN = 3;
const typeNames = new Map<number, string>(Object.entries(Packet.TYPE).map(([name, type]) => [type, name]));

export async function startDnsServer(): Promise<DnsServer> {
  const zone = new Map<string, DnsAnswer>();
  const queries: string[] = [];
  const server = dns2.createUDPServer((request, send) => {
    const [question] = request.questions;
    if (question === undefined) return;
    queries.push(`${typeNames.get(question.type)} ${question.name.toLowerCase()}`);
    const answer = zone.get(question.name.toLowerCase());
    if (answer === 'silence') return;
    if (typeof answer === 'function') return send(answer(request.toBuffer()));
    const reply = Packet.createResponseFromRequest(request);
    reply.header.ra = 1;
    reply.header.rcode = answer === 'servfail' ? SERVFAIL : answer === undefined ? NXDOMAIN : 0;
    reply.answers = recordsOf(zone, question);
    send(reply);
  });
  await server.listen(0, '127.0.0.1');
  return { address: `127.0.0.1:${server.address().port}`, zone, queries, close: () => server.close() };
}

/** Follows CNAME records as a resolver does, unless the query is for the CNAME itself. */
function recordsOf(zone: DnsServer['zone'], { name: asked, type }: Question): Resource[] {
  const records: Resource[] = [];
  const add = (name: string, type: number, data: { domain: string } | { address: string }) =>
    records.push(Object.assign(new Packet.Resource(name, type, Packet.CLASS.IN, 60), data));
  let name = asked.toLowerCase();
  let answer = zone.get(name);
  while (typeof answer === 'object' && answer.cname !== undefined && records.length < 10) {
    add(name, Packet.TYPE.CNAME, { domain: answer.cname });
    if (type === Packet.TYPE.CNAME) break;
    name = answer.cname.toLowerCase();
    answer = zone.get(name);
  }
  if (typeof answer !== 'object') return records;
  if (type === Packet.TYPE.A) for (const address of answer.a ?? []) add(name, type, { address });
  if (type === Packet.TYPE.AAAA) for (const address of answer.aaaa ?? []) add(name, type, { address });
  return records;
}
