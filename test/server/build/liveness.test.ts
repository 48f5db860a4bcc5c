import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { builderId, type Liveness, startLiveness } from '../../../server/build/liveness.ts';
import { tryLock } from '../../../server/runtime/lock.ts';

let folder: string;
let liveness: Liveness;
const self = builderId('this');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'platen-test-'));
  liveness = startLiveness(folder, self);
});
afterEach(() => {
  liveness.end();
  rmSync(folder, { recursive: true });
});

/** Leaves the file of a builder that does not live any more. */
function leaveFile(builder: string): string {
  tryLock(join(folder, builder))?.();
  return builder;
}

it('a builder of this server died alone, and one of another server, or of an earlier version, with it', () => {
  expect(liveness.fateOf(leaveFile(builderId('this')))).toBe('died');
  expect(liveness.fateOf(leaveFile(builderId('earlier')))).toBe('died with its server');
  expect(liveness.fateOf(leaveFile(uuid()))).toBe('died with its server');
});

it('a builder with a locked file lives, and one without a file has ended', () => {
  expect(liveness.fateOf(self)).toBe('alive');
  expect(liveness.fateOf(builderId('this'))).toBe('ended');
});
