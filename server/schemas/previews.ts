import { z } from 'zod';
import { moment } from './text.ts';

const DAYS_MAX = 30;

/** How long a preview link works, in days. */
export const createPreviewBody = z.object({
  expires_in: z.int('must be a whole number of days').min(1).max(DAYS_MAX).default(7),
});

export const createdPreview = z.object({ url: z.url(), expires_at: moment });
