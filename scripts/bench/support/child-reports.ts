import { z } from 'zod';

/** Report of a build process. */
export type BuildReport = z.infer<typeof buildReport>;

/** Report of a process that has rendered its first posts. */
export type FirstUse = z.infer<typeof firstUse>;

export const buildReport = z.object({
  /** Milliseconds of the build alone. */
  build: z.number(),
  steps: z.object({ plan: z.number(), render: z.number(), apply: z.number() }),
  /** MiB that the process held at most. */
  peakMemory: z.number(),
});

export const firstUse = z.object({
  /** Milliseconds: to load the pipeline, for the first post of the kind, and for the second. */
  load: z.number(),
  first: z.number(),
  second: z.number(),
});
