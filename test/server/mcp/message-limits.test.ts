import { expect, it } from 'vitest';
import { assertMessageLimits } from '../../../server/mcp/message-limits.ts';

const call = (params: object, method = 'tools/call') => ({ jsonrpc: '2.0', id: 1, method, params });
const refusalOf = (message: unknown): string | undefined => {
  try {
    assertMessageLimits(message);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

it.each<[name: string, message: (text: string) => unknown]>([
  ['id', (id) => ({ ...call({}), id })],
  ['method', (method) => call({}, method)],
  ['params.name', (name) => call({ name })],
  ['params.uri', (uri) => call({ uri }, 'resources/read')],
  ['params.protocolVersion', (protocolVersion) => call({ protocolVersion }, 'initialize')],
  ['params.ref.name', (name) => call({ ref: { name } }, 'completion/complete')],
  ['params.ref.uri', (uri) => call({ ref: { uri } }, 'completion/complete')],
  ['params.argument.name', (name) => call({ argument: { name } }, 'completion/complete')],
  ['params.argument.value', (value) => call({ argument: { value } }, 'completion/complete')],
])('%s has at most 2000 characters', (name, message) => {
  expect(refusalOf(message('x'.repeat(2_000)))).toBeUndefined();
  expect(refusalOf(message('x'.repeat(2_001)))).toBe(`${name} must be at most 2000 characters`);
});

it("the values of a tool's arguments may be long and many, those of a prompt and all others may not", () => {
  const long = { content: 'x'.repeat(2_000_000), list: Array(40_000).fill({}) };
  expect(refusalOf(call({ name: 'create_post', arguments: long }))).toBeUndefined();
  for (const message of [
    call({ name: 'get_post', arguments: { [long.content]: 1 } }),
    call({ name: 'get_post', arguments: { ...long.list } }),
    call({ name: 'write_post', arguments: long }, 'prompts/get'),
    call({ context: { arguments: long } }, 'completion/complete'),
    call({ _meta: long }),
    long.content,
  ])
    expect(refusalOf(message)).toContain(
      "besides the values of a tool's arguments, a message must have at most",
    );
});

it('characters of names and texts are counted, and values', () => {
  const rest = 'jsonrpc2.0idmethodtools/listparams'.length;
  const text = 'x'.repeat(65_536 - rest - 1);
  expect(refusalOf(call({ x: text }, 'tools/list'))).toBeUndefined();
  expect(refusalOf(call({ x: `${text}x` }, 'tools/list'))).toContain('65536 characters');
  expect(refusalOf(call({ [`${text}x`]: 1 }, 'tools/list'))).toBeUndefined();
  expect(refusalOf(call({ [`${text}xx`]: 1 }, 'tools/list'))).toContain('65536 characters');
  expect(refusalOf(call(Array(245).fill(0), 'tools/list'))).toBeUndefined();
  expect(refusalOf(call(Array(246).fill(0), 'tools/list'))).toContain('250 values');
});

it('a message is one, and may be no object', () => {
  expect(refusalOf([call({})])).toContain('batches are not supported');
  for (const message of [undefined, null, 1, '', {}]) expect(refusalOf(message)).toBeUndefined();
});
