import type { IncomingMessage } from 'node:http';
import { type AwsRequest, type Tree, treeOfJson, treeOfXml } from './aws-model.ts';

/** Wire format of CloudFront requests, responses and errors, shared by the fake endpoint and its tests. */

export const NAMESPACE = 'http://cloudfront.amazonaws.com/doc/2020-05-31/';
export const ACCOUNT = '123456789012';

/** Handlers of operations, which get the request and the labels of its address. */
export type Handlers = Readonly<
  Record<string, (request: AwsRequest, labels: ReadonlyMap<string, string>) => Reply>
>;

export interface Reply {
  readonly status: number;
  readonly body?: string;
  readonly etag?: string;
}

export class AwsFailure extends Error {
  readonly code: string;
  constructor(code: string) {
    super(`${code}, says the test`);
    this.code = code;
  }
}

export async function readRequest(req: IncomingMessage): Promise<AwsRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const [path = '', query = ''] = (req.url ?? '').split('?');
  const body = text === '' ? null : text.startsWith('{') ? treeOfJson(JSON.parse(text)) : treeOfXml(text);
  return { method: req.method ?? '', path, query: new URLSearchParams(query), headers: req.headers, body };
}

export const failureBody = (isStore: boolean, { code, message }: AwsFailure): string =>
  isStore
    ? JSON.stringify({ __type: code, Message: message })
    : `<ErrorResponse xmlns="${NAMESPACE}"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>1</RequestId></ErrorResponse>`;

export function find(tree: Tree | null | undefined, name: string): Tree | null {
  if (!tree) return null;
  if (tree.name === name) return tree;
  for (const child of tree.children) {
    const found = find(child, name);
    if (found) return found;
  }
  return null;
}

export const childrenOf = (tree: Tree | null): readonly Tree[] => tree?.children ?? [];
export const textOf = (tree: Tree | null, name: string): string => find(tree, name)?.text ?? '';
