import { DomainError } from '../runtime/errors.ts';

/** Far above the length of any name, id or URI. Answers repeat them, and the protocol's SDK fails at a million. */
const MAX_NAME = 2_000;
/** For all but the values of a tool's arguments. A client may send its icon there. */
const MAX_CHARACTERS = 65_536;
/** The protocol's SDK answers a hundred times the length of a value that is wrong. */
const MAX_VALUES = 250;

const names = [
  ...['id', 'method', 'params.name', 'params.uri', 'params.protocolVersion', 'params.ref.name'],
  ...['params.ref.uri', 'params.argument.name', 'params.argument.value'],
];

/**
 * Throws `bad_request` for a message that could cost, or get back, more than it is worth: a batch, which no version
 * since 2025-06-18 has, and which could ask for thousands of lists; a name too long for anything; or too much besides
 * the values of a tool's arguments, which tools check themselves.
 */
export function assertMessageLimits(message: unknown): void {
  if (Array.isArray(message)) {
    throw new DomainError('bad_request', 'send one message a request: batches are not supported');
  }
  for (const name of names) {
    const value = name.split('.').reduce(fieldOf, message);
    if (typeof value === 'string' && value.length > MAX_NAME) {
      throw new DomainError('bad_request', `${name} must be at most ${MAX_NAME} characters`);
    }
  }
  assertSize(withoutArgumentValues(message));
}

/** The message, with the names of a tool's arguments in their place. */
function withoutArgumentValues(message: unknown): unknown {
  const params = fieldOf(message, 'params');
  if (fieldOf(message, 'method') !== 'tools/call' || !isObject(params)) return message;
  const { arguments: values } = params;
  return { ...params, arguments: isObject(values) ? Object.keys(values) : undefined };
}

function assertSize(message: unknown): void {
  let characters = 0;
  const values = [message];
  // Those that are found on the way are visited, too.
  for (const value of values) {
    if (typeof value === 'string') characters += value.length;
    if (!isObject(value)) continue;
    for (const [name, inner] of Object.entries(value)) {
      characters += Array.isArray(value) ? 0 : name.length;
      values.push(inner);
    }
  }
  const refuse = (limit: string) =>
    new DomainError(
      'bad_request',
      `besides the values of a tool's arguments, a message must have at most ${limit}`,
    );
  if (characters > MAX_CHARACTERS) throw refuse(`${MAX_CHARACTERS} characters`);
  if (values.length > MAX_VALUES) throw refuse(`${MAX_VALUES} values`);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const fieldOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);
