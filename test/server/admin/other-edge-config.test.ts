import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { edgeOf } from '../../../generator/edge/edge-kinds.ts';
import { otherEdgeConfig } from '../../../server/admin/other-edge-config.ts';
import { readConfig } from '../../../server/config/config.ts';

const asked: string[] = [];
const server = createServer((req, res) => {
  asked.push(/Credential=([^,]+)/.exec(req.headers.authorization ?? '')?.[1] ?? '');
  res.end('bytes');
});
const environment = { ...process.env };
let bucket: Record<string, string>;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const S3_ENDPOINT = `http://127.0.0.1:${port}`;
  bucket = { PLATEN_EDGE: 's3', S3_BUCKET: 'a', S3_ENDPOINT, PLATEN_MEDIA_URL: 'https://media.example.org' };
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'ours', AWS_SECRET_ACCESS_KEY: 'secret' });
});
afterAll(() => {
  process.env = environment;
  server.close();
});

describe('the settings file of another edge', () => {
  it('settings of another edge may have their own credentials', async () => {
    const theirs = { AWS_ACCESS_KEY_ID: 'theirs', AWS_SECRET_ACCESS_KEY: 'other', AWS_REGION: 'eu-west-1' };
    const there = await edgeOf(otherEdgeConfig(process.env, { ...bucket, ...theirs }).edge).open();
    const here = await edgeOf(readConfig({ ...process.env, ...bucket, AWS_REGION: 'us-west-2' }).edge).open();
    const nobody = await edgeOf(otherEdgeConfig(process.env, bucket).edge).open();
    for (const edge of [there, here, there, nobody]) await edge.read('index.html');
    expect(asked.map((credential) => credential.replace(/\/\d{8}\//, ' ').split('/')[0])).toEqual([
      'theirs eu-west-1',
      'ours us-west-2',
      'theirs eu-west-1',
      'ours us-east-1',
    ]);
    expect(process.env).toMatchObject({ AWS_ACCESS_KEY_ID: 'ours', AWS_SECRET_ACCESS_KEY: 'secret' });
  });

  it('settings of another edge may name a profile, or a session token', () => {
    const edgeWith = (given: Record<string, string>) => otherEdgeConfig({}, { ...bucket, ...given }).edge;
    expect(edgeWith({ AWS_PROFILE: 'b' })).toMatchObject({ identity: { kind: 'profile', name: 'b' } });
    const session = { AWS_ACCESS_KEY_ID: 'i', AWS_SECRET_ACCESS_KEY: 's', AWS_SESSION_TOKEN: 't' };
    const identity = { kind: 'keys', id: 'i', secret: 's', token: 't' };
    expect(edgeWith(session)).toMatchObject({ identity });
    expect(edgeWith({})).not.toHaveProperty('identity');
  });

  it.each([
    [{ AWS_ACCESS_KEY_ID: 'i' }, 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together'],
    [{ AWS_SECRET_ACCESS_KEY: 'hidden' }, 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together'],
    [{ AWS_ROLE_ARN: 'x' }, 'AWS_ROLE_ARN applies to both edges: set it in the environment'],
  ])('wrong settings of another edge are refused without a secret in the message: %o', (given, message) => {
    expect(() => otherEdgeConfig({}, { ...bucket, ...given })).toThrow(new Error(message));
  });
});
