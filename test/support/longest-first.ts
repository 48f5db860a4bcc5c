import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Suites of more than a minute. Started last, one of them would run alone at the end. */
const longest = [
  'test/browser/hostile-names.test.ts',
  'test/browser/hostile-posts.test.ts',
  'test/browser/theme.test.ts',
  'test/faults/faulty-bucket.test.ts',
  'test/faults/killed-apply.test.ts',
  'test/faults/stopped-builder.test.ts',
  'test/server/build/in-step-large.test.ts',
  'test/server/upkeep/copy.test.ts',
  'test/server/upkeep/repair.test.ts',
];

/** Starts the longest suites first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longest.some((file) => moduleId.endsWith(file));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
