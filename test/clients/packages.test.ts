import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { VERSION as CLI_VERSION } from '../../clients/cli/command-line/version.ts';
import { VERSION as MCP_VERSION } from '../../clients/mcp/version.ts';
import { root } from '../support/packed-client.ts';

const versions = z.record(z.string(), z.string()).default({});
const manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  type: z.literal('module'),
  engines: z.object({ node: z.string() }),
  dependencies: versions,
  devDependencies: versions,
});
const read = (folder: string) =>
  manifest.parse(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')));

const own = read('.');

describe.each(readdirSync(join(root, 'clients')))('the package of clients/%s', (name) => {
  const client = read(`clients/${name}`);

  it('has version, licence and engines of the whole', () => {
    expect(client).toMatchObject({
      name: `@platen/${name}`,
      version: own.version,
      license: own.license,
      engines: own.engines,
    });
    expect(existsSync(join(root, 'clients', name, 'README.md'))).toBe(true);
  });

  it('asks for the versions of packages that the whole is tested with', () => {
    expect(client.dependencies).toEqual(
      Object.fromEntries(
        Object.keys(client.dependencies).map((dependency) => [dependency, own.dependencies[dependency]]),
      ),
    );
    expect(client.devDependencies).toEqual({});
  });
});

it('the command line and the MCP server say their versions', () => {
  expect([CLI_VERSION, MCP_VERSION]).toEqual([own.version, own.version]);
});

it('the SDK has no dependency', () => {
  expect(read('clients/sdk').dependencies).toEqual({});
});
