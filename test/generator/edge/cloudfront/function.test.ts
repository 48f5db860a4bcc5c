import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { type FunctionEvent, functionSource, loadFunction } from '../../../support/cloudfront-edge.ts';
import { cpuTime } from '../../../support/cpu.ts';

const source = functionSource('blogs.example.org');
const tree = ts.createSourceFile('function.js', source, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);

/** Syntax nodes of the source, outermost first. */
function nodes(): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Statements that the runtime cloudfront-js-2.0 documents. */
const statements = new Set([
  ts.SyntaxKind.Block,
  ts.SyntaxKind.BreakStatement,
  ts.SyntaxKind.ContinueStatement,
  ts.SyntaxKind.DoStatement,
  ts.SyntaxKind.ExpressionStatement,
  ts.SyntaxKind.ForInStatement,
  ts.SyntaxKind.ForStatement,
  ts.SyntaxKind.IfStatement,
  ts.SyntaxKind.ReturnStatement,
  ts.SyntaxKind.ThrowStatement,
  ts.SyntaxKind.TryStatement,
  ts.SyntaxKind.VariableStatement,
  ts.SyntaxKind.WhileStatement,
]);

/** Syntax of the language that the runtime lacks. */
const unsupported = new Set([
  ts.SyntaxKind.ArrayBindingPattern,
  ts.SyntaxKind.BigIntLiteral,
  ts.SyntaxKind.ClassDeclaration,
  ts.SyntaxKind.ClassExpression,
  ts.SyntaxKind.ComputedPropertyName,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.ObjectBindingPattern,
  ts.SyntaxKind.QuestionDotToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.ShorthandPropertyAssignment,
  ts.SyntaxKind.SpreadAssignment,
  ts.SyntaxKind.SpreadElement,
  ts.SyntaxKind.SuperKeyword,
  ts.SyntaxKind.YieldExpression,
]);

/** Globals of the runtime that the function uses; all other names must be the function's own. */
const globals = new Set(['decodeURIComponent', 'encodeURIComponent', 'undefined']);

/** Methods of ES 5.1, and those of later editions that the runtime has. */
const methods = new Set([
  ...[
    'charAt',
    'forEach',
    'filter',
    'find',
    'get',
    'indexOf',
    'join',
    'kvs',
    'lastIndexOf',
    'map',
    'pop',
    'push',
  ],
  ...['replace', 'slice', 'split', 'test', 'toLowerCase'],
]);

describe('the source of the CloudFront function', () => {
  it('the CloudFront function is below 10 KB', () => {
    expect(Buffer.byteLength(functionSource(`${'x'.repeat(60)}.${'x'.repeat(190)}`))).toBeLessThan(10_000);
  });

  it('the CloudFront function is ASCII and has one placeholder for the blog host', () => {
    expect(source).toMatch(/^[\t\n\x20-\x7e]*$/);
    expect(source).toContain("'blogs.example.org'");
    // CloudFormation would take any other for a placeholder of its own.
    expect(source).not.toContain('$' + '{');
  });

  it('the CloudFront function has only syntax that its runtime supports', () => {
    const isStatement = (node: ts.Node) =>
      node.kind >= ts.SyntaxKind.FirstStatement && node.kind <= ts.SyntaxKind.LastStatement;
    const wrong = nodes().filter(
      (node) => unsupported.has(node.kind) || (isStatement(node) && !statements.has(node.kind)),
    );
    expect(wrong.map((node) => node.getText())).toEqual([]);
  });

  it('the CloudFront function awaits only in statements of its own, and in no closure', () => {
    for (const node of nodes()) {
      if (ts.isArrowFunction(node)) expect(node.modifiers ?? [], node.getText()).toHaveLength(0);
      if (!ts.isAwaitExpression(node)) continue;
      const { parent } = node;
      const isAssigned =
        ts.isVariableDeclaration(parent) || (ts.isBinaryExpression(parent) && parent.right === node);
      expect(isAssigned, parent.getText()).toBe(true);
    }
  });

  it('the CloudFront function calls only its own and the runtime’s functions', () => {
    const own = new Set<string>();
    for (const node of nodes()) {
      if (ts.isFunctionDeclaration(node) || ts.isParameter(node) || ts.isVariableDeclaration(node)) {
        own.add(node.name?.getText() ?? '');
      }
    }
    for (const node of nodes()) {
      if (!ts.isCallExpression(node)) continue;
      const called = node.expression;
      if (ts.isPropertyAccessExpression(called))
        expect(methods, called.getText()).toContain(called.name.text);
      else expect([...own, ...globals], called.getText()).toContain(called.getText());
    }
    const imports = nodes().filter(ts.isImportDeclaration);
    expect(imports.map((node) => node.getText())).toEqual(["import cf from 'cloudfront';"]);
  });
});

describe('a run of the CloudFront function', () => {
  let reads = 0;
  const keyValues = new Map([
    ['www.example.net', 'blog'],
    ['blog:blog', 'set'],
    ['headers:set', '/search/\n/pagefind/*\nX-Own: yes'],
    ['headers:set:/search/', 'X-Own: search'],
  ]);
  const handler = loadFunction(source, keyValues, () => {
    reads += 1;
  });
  const event = (uri: string, host = 'www.example.net'): FunctionEvent => ({
    context: { eventType: 'viewer-request' },
    request: { method: 'GET', uri, querystring: {}, headers: { host: { value: host } } },
  });

  it('a run of the CloudFront function makes few look-ups', async () => {
    await handler(event('/search/'));
    expect(reads).toBe(1);
    reads = 0;
    const told: FunctionEvent = { ...event('/search/'), response: { statusCode: 200, headers: {} } };
    expect(await handler(told)).toMatchObject({ headers: { 'x-own': { value: 'search' } } });
    expect(reads).toBe(4);
  });

  it.each([
    ['/'.repeat(8_192)],
    [`/${'../'.repeat(2_700)}`],
    [`/${'a/../'.repeat(1_600)}`],
    [`/${'%2e'.repeat(2_700)}`],
    [`/${'\\'.repeat(8_000)}`],
    [`/${'%E6'.repeat(2_700)}`],
    [`/${'.'.repeat(8_000)}x`],
  ])('a run of the CloudFront function is short for an address of any length: %#', async (uri) => {
    const took = await cpuTime(async () => {
      for (let n = 0; n < 20; n += 1) await handler(event(uri));
    });
    // CloudFront ends a function that takes much longer than a millisecond.
    expect(took / 20).toBeLessThan(20);
  });

  it.each(['', 'x'.repeat(8_000), `${'a.'.repeat(4_000)}a`, 'www.example.net:x', '\0'])(
    'a run of the CloudFront function accepts any host: %#',
    async (host) => {
      expect(await handler(event('/', host))).toMatchObject({ statusCode: 404 });
    },
  );

  it('the CloudFront function names objects as invalidations do', async () => {
    const uriOf = async (path: string) => Object(await handler(event(path))).uri;
    expect(await uriOf('/tags/%e6%97%a5%E6%9C%AC/')).toBe('/sites/blog/tags/%E6%97%A5%E6%9C%AC/index.html');
    expect(await uriOf('/a%2Fb.txt')).toBe('/sites/blog/a/b.txt');
    expect(await uriOf("/a*b~c!(d)'e.txt")).toBe("/sites/blog/a%2Ab~c!(d)'e.txt");
    expect(await uriOf('/%zz')).toBe('/sites/blog/.nothing');
  });

  it('the CloudFront function serves images on the host "media"', async () => {
    const host = 'media.blogs.example.org';
    expect(await handler(event('/1/2.png', host))).toMatchObject({ uri: '/media/1/2.png' });
    const told: FunctionEvent = { ...event('/1/2.png', host), response: { statusCode: 200, headers: {} } };
    const { headers } = Object(await handler(told));
    expect(headers['access-control-allow-origin']).toEqual({ value: '*' });
    expect(headers['content-security-policy']).toEqual({ value: "default-src 'none'; sandbox" });
  });
});
