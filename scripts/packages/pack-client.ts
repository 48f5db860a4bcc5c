import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { z } from 'zod';

const manifestShape = z.object({
  exports: z.record(z.string(), z.object({ default: z.string() })).default({}),
  bin: z.record(z.string(), z.string()).default({}),
});

/** A client's sources in `clients/<name>`, and where its package goes. */
export interface ClientPackage {
  /** Root of the repository. */
  readonly root: string;
  readonly name: string;
  /** Folder of the package. What it had is removed. */
  readonly out: string;
}

/**
 * Makes the package of a client: a module for each entry of `exports` and `bin`, parts that these load later, with the SDK
 * inside and packages of others outside; declarations if the client has a `tsconfig.json`; its package.json and README, and the licence.
 */
export async function packClient({ root, name, out }: ClientPackage): Promise<void> {
  const source = join(root, 'clients', name);
  const manifest = manifestShape.parse(JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')));
  const modules = [
    ...Object.values(manifest.exports).map((entry) => entry.default),
    ...Object.values(manifest.bin),
  ];
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  await build({
    entryPoints: [...new Set(modules)].map((file) => join(source, file.replace(/\.js$/, '.ts'))),
    outdir: out,
    bundle: true,
    // What is imported when it is needed stays apart, and is loaded only then.
    splitting: true,
    chunkNames: 'parts/[name]-[hash]',
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    packages: 'external',
    logLevel: 'error',
  });
  if (existsSync(join(source, 'tsconfig.json'))) writeDeclarations(source, join(out, 'types'));
  for (const file of ['package.json', 'README.md']) copyFileSync(join(source, file), join(out, file));
  copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
}

function writeDeclarations(source: string, outDir: string): void {
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rootDir', source];
  execFileSync(process.execPath, [compiler, '-p', source, ...options, '--outDir', outDir], {
    stdio: 'inherit',
  });
}
