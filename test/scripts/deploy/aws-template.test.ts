// Slow: validates the template against a model of AWS.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { embedCode } from '../../../scripts/deploy/aws/embed-code.ts';
import { lintTemplate, readTemplate } from '../../support/cloudformation.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const text = readFileSync(`${root}scripts/deploy/aws/platen-edge.yaml`, 'utf8');
const template = readTemplate(text);
const source = (name: string) => readFileSync(`${root}generator/edge/cloudfront/${name}`, 'utf8').trimEnd();

const properties = (name: string) => Object(template.Resources[name]?.Properties);

/** Every action that the publisher's policy allows. */
const allowed: string[] = properties('PublisherPolicy')
  .PolicyDocument.Statement.map((one: object) => ('Fn::If' in one ? Object(one)['Fn::If'][2] : one))
  .flatMap(({ Action }: { Action: string | string[] }) => Action);

/** Action names of each service that differ from the request's name. */
const otherNames: Readonly<Record<string, string>> = {
  's3:DeleteObjects': 's3:DeleteObject',
  's3:ListObjectsV2': 's3:ListBucket',
};

/** CloudFront requests certificates on behalf of the caller that creates a tenant. */
const inOurName = ['acm:DescribeCertificate', 'acm:RequestCertificate'];

/** The action of every AWS request in the code. */
function asked(): string[] {
  const files = ['generator', 'server'].flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  return files
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const code = readFileSync(root + name, 'utf8');
      const service = /from '@aws-sdk\/client-([\w-]+)'/.exec(code)?.[1];
      const requests = [...code.matchAll(/new (\w+)Command\(/g)].map(
        ([, request]) => `${service}:${request}`,
      );
      return service === undefined ? [] : requests;
    })
    .map((action) => otherNames[action] ?? action);
}

describe('the CloudFormation template', () => {
  it('the template is valid by the published schemas of its resources', async () => {
    expect(await lintTemplate(template)).toEqual([]);
  });

  it.each([
    ['Type: AWS::S3::Bucket\n', 'Type: AWS::S3::Buckett\n', /no type AWS::S3::Buckett/],
    ['BucketEncryption:', 'BucketEncription:', /has no property BucketEncription/],
    ['!GetAtt KeyValueStore.Arn', '!GetAtt KeyValueStore.Url', /has no attribute Url/],
    ['!Ref NotFoundFunction', '!Ref NotFound', /there is no NotFound/],
    ['Bucket.Arn}/sites/*', 'Buckets.Arn}/sites/*', /no resource Buckets/],
    ['!If [HasTenants, tenant-only', '!If [HaveTenants, tenant-only', /no condition HaveTenants/],
    ['AutoPublish: true', 'AutoPublish: yes please', /AutoPublish: is neither true nor false/],
    ['MinTTL: 0\n        DefaultTTL', 'DefaultTTL', /MinTTL is missing/],
  ])('the schema check finds a mistake in the template: %s', async (right, wrong, problem) => {
    expect(text).toContain(right);
    expect((await lintTemplate(readTemplate(text.replace(right, wrong)))).join('\n')).toMatch(problem);
  });

  it('the template contains the code in the repository', () => {
    expect(embedCode(text, root)).toBe(text);
    expect(properties('ReaderFunction').FunctionCode).toEqual({ 'Fn::Sub': `${source('function.js')}\n` });
    expect(properties('NotFoundFunction').Code.ZipFile).toBe(`${source('not-found.js')}\n`);
    // CloudFormation limits the inline code of a Lambda function.
    expect(source('not-found.js').length).toBeLessThan(4_096);
  });

  it('the template is short enough to be passed to CloudFormation directly', () => {
    expect(Buffer.byteLength(text)).toBeLessThan(51_200);
  });

  it('only CloudFront may read the bucket, and only the published files', () => {
    for (const bucket of ['Bucket', 'LogBucket']) {
      expect(Object.values(properties(bucket).PublicAccessBlockConfiguration)).toEqual([
        true,
        true,
        true,
        true,
      ]);
    }
    const statements = properties('BucketPolicy').PolicyDocument.Statement;
    for (const { Effect, Principal, Condition, Resource } of statements) {
      if (Effect === 'Deny') continue;
      expect(Principal).toEqual({ Service: 'cloudfront.amazonaws.com' });
      expect(Object.keys(Condition.StringEquals)).toEqual(['AWS:SourceArn']);
      expect(JSON.stringify(Resource)).not.toContain('hosts');
    }
  });

  it('the template allows Platen exactly the actions that it uses', () => {
    expect(allowed.every((action) => /^[a-z0-9-]+:[A-Z]\w+$/.test(action))).toBe(true);
    expect([...allowed].sort()).toEqual([...new Set([...asked(), ...inOurName])].sort());
  });

  it('the template’s outputs name the settings of Platen', () => {
    const named = Object.values(template.Outputs).map(({ Description }) => Description);
    for (const name of [
      'S3_BUCKET',
      'CLOUDFRONT_DISTRIBUTION_ID',
      'CLOUDFRONT_KVS_ARN',
      'CLOUDFRONT_CONNECTION_GROUP_ID',
    ]) {
      expect(named).toContain(name);
    }
  });
});
