import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { PLATEN_CORPUS } = process.env;
const dir = PLATEN_CORPUS
  ? join(PLATEN_CORPUS, '..', 'aws-models')
  : fileURLToPath(new URL('../../../shared/aws-models', import.meta.url));

/** The parts of a botocore service model that are needed to check requests. */
export interface AwsModel {
  readonly metadata: { readonly protocol: string };
  readonly operations: Readonly<Record<string, AwsOperation>>;
  readonly shapes: Readonly<Record<string, Shape>>;
}

export interface AwsOperation {
  readonly http: { readonly method: string; readonly requestUri: string; readonly responseCode: number };
  readonly input?: Reference;
  readonly errors?: readonly { readonly shape: string }[];
}

interface Reference {
  readonly shape: string;
  readonly location?: 'uri' | 'header' | 'querystring';
  readonly locationName?: string;
  readonly xmlNamespace?: { readonly uri: string };
}

interface Shape {
  readonly type: string;
  readonly required?: readonly string[];
  readonly members?: Readonly<Record<string, Reference>>;
  readonly member?: Reference;
  readonly payload?: string;
  readonly flattened?: boolean;
  readonly enum?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: string;
  readonly error?: { readonly httpStatusCode: number };
}

/**
 * The published model of a service, from `aws-models` beside the corpus. It belongs to others and is never part of
 * this repository. Null if it is missing: then only our own assertions check requests.
 */
export function awsModel(file: string): AwsModel | null {
  const path = join(dir, file);
  if (!existsSync(path)) return null;
  const model: AwsModel = JSON.parse(readFileSync(path, 'utf8'));
  return model;
}

/** The message of a suite that runs without the models; null if they are there. */
export const modelsLeftOut = (): string | null =>
  existsSync(dir) ? null : `left out: checks of requests against the models of AWS (no folder at ${dir})`;

export interface AwsRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as a tree, from XML or JSON. */
  readonly body: Tree | null;
}

/** An element with text or children, or a value of JSON. */
export interface Tree {
  readonly name: string;
  readonly namespace: string | null;
  readonly text: string;
  readonly children: readonly Tree[];
  /** The JSON value; undefined in XML. */
  readonly json?: unknown;
}

/** Violations of the service's model by a request. */
export function* problemsOf(model: AwsModel, operation: string, request: AwsRequest): Generator<string> {
  const known = model.operations[operation];
  if (!known) {
    yield `${operation}: no such operation`;
    return;
  }
  const labels = labelsOf(known.http.requestUri, request.path);
  if (request.method !== known.http.method || labels === null) {
    yield `${operation}: is ${known.http.method} ${known.http.requestUri}, not ${request.method} ${request.path}`;
    return;
  }
  const input = known.input ? shapeOf(model, known.input) : { type: 'structure' };
  const queryNames = new Set<string>();
  const inBody: [string, Reference][] = [];
  for (const [name, member] of Object.entries(input.members ?? {})) {
    const place = member.locationName ?? name;
    let given: string | null | undefined;
    if (member.location === 'uri') given = labels.get(place);
    else if (member.location === 'header') given = request.headers[place.toLowerCase()]?.toString();
    else if (member.location === 'querystring') given = request.query.get(place);
    else {
      inBody.push([name, member]);
      continue;
    }
    if (member.location === 'querystring') queryNames.add(place);
    if (given === undefined || given === null) {
      if (input.required?.includes(name)) yield `${operation}: ${name} is missing (${member.location})`;
    } else yield* problemsOfText(model, `${operation}.${name}`, member, given);
  }
  for (const name of request.query.keys()) {
    if (!queryNames.has(name)) yield `${operation}: there is no ${name} in the query`;
  }
  const payload = input.payload === undefined ? undefined : input.members?.[input.payload];
  if (inBody.length === 0) {
    if (request.body) yield `${operation}: has no body`;
  } else if (!request.body) {
    if (inBody.some(([name]) => input.required?.includes(name))) yield `${operation}: the body is missing`;
  } else if (payload) {
    yield* problemsOfRoot(payload.locationName ?? payload.shape, payload, request.body, model);
    yield* problemsOfTree(model, operation, payload, request.body);
  } else {
    if (model.metadata.protocol === 'rest-xml' && known.input) {
      yield* problemsOfRoot(known.input.locationName ?? known.input.shape, known.input, request.body, model);
    }
    const own = { ...input, members: Object.fromEntries(inBody) };
    yield* problemsOfStructure(model, operation, own, request.body);
  }
}

function* problemsOfRoot(
  name: string,
  { xmlNamespace }: Reference,
  body: Tree,
  model: AwsModel,
): Generator<string> {
  if (model.metadata.protocol !== 'rest-xml') return;
  if (body.name !== name) yield `the body is ${body.name}, not ${name}`;
  if (xmlNamespace && body.namespace !== xmlNamespace.uri)
    yield `${name} is of the namespace ${body.namespace}`;
}

function* problemsOfTree(model: AwsModel, at: string, reference: Reference, tree: Tree): Generator<string> {
  const shape = shapeOf(model, reference);
  if (shape.type === 'structure') yield* problemsOfStructure(model, at, shape, tree);
  else if (shape.type === 'list' && shape.member) {
    const { length } = tree.children;
    if (length < (shape.min ?? 0) || length > (shape.max ?? Number.POSITIVE_INFINITY))
      yield `${at}: has ${length} members`;
    const name = model.metadata.protocol === 'rest-xml' ? (shape.member.locationName ?? 'member') : 'member';
    for (const child of tree.children) {
      if (child.name !== name) yield `${at}: has ${child.name} where ${name} belongs`;
      yield* problemsOfTree(model, `${at}[]`, shape.member, child);
    }
  } else {
    if (tree.json !== undefined && typeof tree.json !== jsonTypes[shape.type]) {
      yield `${at}: is ${typeof tree.json} in JSON, not ${jsonTypes[shape.type]}`;
    }
    yield* problemsOfText(model, at, reference, tree.text);
  }
}

const jsonTypes: Readonly<Record<string, string>> = {
  ...{ string: 'string', boolean: 'boolean', integer: 'number', long: 'number', timestamp: 'number' },
};

function* problemsOfStructure(model: AwsModel, at: string, shape: Shape, tree: Tree): Generator<string> {
  const members = Object.entries(shape.members ?? {});
  const named = new Map(members.map(([name, member]) => [member.locationName ?? name, { name, member }]));
  const seen = new Set<string>();
  for (const child of tree.children) {
    const found = named.get(child.name);
    if (!found) yield `${at}: has no ${child.name}`;
    else if (seen.has(found.name)) yield `${at}: has ${found.name} twice`;
    else {
      seen.add(found.name);
      yield* problemsOfTree(model, `${at}.${found.name}`, found.member, child);
    }
  }
  for (const name of shape.required ?? []) {
    if (members.some(([member]) => member === name) && !seen.has(name)) yield `${at}: ${name} is missing`;
  }
}

function* problemsOfText(model: AwsModel, at: string, reference: Reference, text: string): Generator<string> {
  const { type, min = 0, max = Number.POSITIVE_INFINITY, pattern, enum: values } = shapeOf(model, reference);
  if (type === 'integer' || type === 'long') {
    if (!/^-?\d+$/.test(text)) yield `${at}: is no number: ${text}`;
    else if (Number(text) < min || Number(text) > max) yield `${at}: is out of bounds: ${text}`;
  }
  if (type === 'boolean' && !/^(?:true|false)$/.test(text)) yield `${at}: is neither true nor false: ${text}`;
  if (type !== 'string') return;
  if (text.length < min || text.length > max) yield `${at}: has ${text.length} characters`;
  if (values && !values.includes(text)) yield `${at}: is none of ${values.join(', ')}: ${text}`;
  if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`, 'u').test(text))
    yield `${at}: is not ${pattern}: ${text}`;
}

function shapeOf(model: AwsModel, { shape }: Reference): Shape {
  const found = model.shapes[shape];
  if (!found) throw new Error(`the model has no shape ${shape}`);
  return found;
}

/** Decoded values of the `{labels}` in an address; null if the address does not match. */
export function labelsOf(template: string, path: string): ReadonlyMap<string, string> | null {
  const wanted = template.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return null;
  const labels = new Map<string, string>();
  for (const [i, part] of wanted.entries()) {
    const value = given[i] ?? '';
    const label = /^\{(\w+)\}$/.exec(part)?.[1];
    if (label === undefined ? part !== value : value === '') return null;
    if (label !== undefined) labels.set(label, decodeURIComponent(value));
  }
  return labels;
}

/** Converts JSON to a tree. */
export function treeOfJson(json: unknown, name = ''): Tree {
  const children = Array.isArray(json)
    ? json.map((item) => treeOfJson(item, 'member'))
    : Object.entries(typeof json === 'object' && json !== null ? json : {}).map(([key, value]) =>
        treeOfJson(value, key),
      );
  return { name, namespace: null, text: typeof json === 'object' ? '' : String(json), children, json };
}

/**
 * Parses XML without comments, and without attributes other than the namespace, as SDKs send it. Throws for other
 * XML.
 */
export function treeOfXml(xml: string): Tree {
  const token = /<\?[^>]*\?>|<(\/?)(\w+)(?: xmlns="([^"]*)")?(\/?)>|([^<]+)/gy;
  const open: { name: string; namespace: string | null; text: string; children: Tree[] }[] = [];
  const top: Tree[] = [];
  let end = 0;
  for (const [whole, closes, name, namespace = null, isEmpty, text] of xml.matchAll(token)) {
    end += whole.length;
    if (text !== undefined) {
      const last = open.at(-1);
      if (last) last.text += plain(text);
      else if (text.trim() !== '') throw new Error('text outside of the XML');
    } else if (name !== undefined) {
      if (!closes) open.push({ name, namespace, text: '', children: [] });
      if (closes || isEmpty) {
        const done = open.pop();
        if (done?.name !== name) throw new Error(`</${name}> closes nothing`);
        (open.at(-1)?.children ?? top).push(done);
      }
    }
  }
  const [root] = top;
  if (end !== xml.length || open.length > 0 || !root || top.length > 1)
    throw new Error(`not well-formed: ${xml}`);
  return root;
}

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const plain = (text: string) =>
  text.replace(/&(?:#x([0-9a-f]+)|(\w+));/gi, (_, code?: string, name = '') =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : (characters[name] ?? ''),
  );
