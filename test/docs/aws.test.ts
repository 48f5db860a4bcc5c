import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../server/config/config.ts';
import { readTemplate } from '../support/cloudformation.ts';

const file = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const guide = file('docs/aws.md');
const template = readTemplate(file('scripts/deploy/aws/platen-edge.yaml'));
const commands = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);

/** Distinct names that follow a pattern. */
const named = (pattern: RegExp) => [
  ...new Set([...commands.join('\n').matchAll(pattern)].map(([, name = '']) => name)),
];

describe('the guide to Amazon Web Services', () => {
  it('every command in the AWS guide is valid shell syntax', () => {
    expect(commands.length).toBeGreaterThan(5);
    for (const block of commands) execFileSync('sh', ['-n'], { input: block });
  });

  it('the AWS guide uses the parameters and outputs of the template', () => {
    const parameters = named(/ (\w+)="\$\w+"/g);
    expect(parameters).toEqual(['BlogHost', 'CertificateArn']);
    for (const name of [...parameters, 'CustomDomains'])
      expect(Object.keys(template.Parameters)).toContain(name);
    const outputs = named(/\$\(output (\w+)\)/g);
    expect(outputs.length).toBeGreaterThan(4);
    for (const name of outputs) expect(Object.keys(template.Outputs)).toContain(name);
  });

  it('the AWS guide contains the DNS instruction from the template’s outputs', () => {
    const { Description = '' } = template.Outputs.Endpoint ?? {};
    expect(guide.replaceAll('\n', ' ')).toContain(Description);
  });

  it('every setting in the AWS guide is one that Platen accepts', () => {
    const values: Readonly<Record<string, string>> = {
      PLATEN_EDGE: 's3',
      PLATEN_BLOG_HOST: 'blogs.example.org',
      PLATEN_MEDIA_URL: 'https://media.blogs.example.org',
      PLATEN_PUBLIC_URL: 'https://platen.example.org',
      S3_BUCKET: 'platen-edge-bucket',
      CLOUDFRONT_DISTRIBUTION_ID: 'E2QWRUHAPOMQZL',
      CLOUDFRONT_KVS_ARN: 'arn:aws:cloudfront::123456789012:key-value-store/8562g61f',
      CLOUDFRONT_CONNECTION_GROUP_ID: '',
    };
    const settings = named(/^export ((?:PLATEN|S3|CLOUDFRONT)_(?!API_KEY)\w+)=/gm);
    expect(settings.sort()).toEqual(Object.keys(values).sort());
    expect(readConfig({ ...values, AWS_REGION: 'us-east-1' }).edge).toMatchObject({
      kind: 's3',
      region: 'us-east-1',
      cloudfront: { blogHost: 'blogs.example.org', connectionGroupId: null },
    });
  });

  it('the fourth step of the AWS guide starts Platen with every setting, the publisher’s key included', () => {
    const outputs = Object.keys(template.Outputs);
    const values: Readonly<Record<string, string>> = {
      BucketName: 'platen-edge-bucket',
      DistributionId: 'E2QWRUHAPOMQZL',
      KeyValueStoreArn: 'arn:aws:cloudfront::123456789012:key-value-store/8562g61f',
      PublisherName: 'platen-edge-publisher',
    };
    // Stubs: the AWS CLI, which prints an empty line for a missing output, and npm.
    const cases = outputs.map((name) => `*"OutputKey=='${name}'"*) echo "${values[name] ?? ''}" ;;`);
    const key = `*"create-access-key --user-name ${values.PublisherName} "*) printf 'AKIDEXAMPLE\\tSECRET\\n' ;;`;
    const folder = mkdtempSync(join(tmpdir(), 'platen-aws-'));
    const program = (name: string, body: string) =>
      writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    program('aws', `case "$*" in ${cases.join(' ')} ${key} *) exit 255 ;; esac`);
    program('npm', '[ "$1" = start ] && env; exit 0');
    const step = commands.find((block) => block.includes('npm start')) ?? '';
    const input = `set -e\nexport BLOG_HOST=blogs.example.org AWS_REGION=us-east-1\n${step}`;
    const env = { PATH: `${folder}:${process.env.PATH}`, AWS_PROFILE: 'administrator' };
    const lines = execFileSync('sh', [], { input, env, encoding: 'utf8' }).split('\n');
    rmSync(folder, { recursive: true });
    const given = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
    expect(readConfig(given).edge).toMatchObject({
      bucket: values.BucketName,
      region: 'us-east-1',
      cloudfront: { distributionId: values.DistributionId, keyValueStoreArn: values.KeyValueStoreArn },
    });
    expect([given.AWS_ACCESS_KEY_ID, given.AWS_SECRET_ACCESS_KEY]).toEqual(['AKIDEXAMPLE', 'SECRET']);
    expect(given).not.toHaveProperty('AWS_PROFILE');
  });
});
