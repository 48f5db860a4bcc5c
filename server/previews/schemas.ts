import { z } from 'zod';
import { timestamp } from '../wire/text.ts';

const MAX_DAYS = 30;

export const createPreviewBody = z
  .object({
    expires_in: z
      .int('must be a whole number of days')
      .min(1, 'must be at least 1 day')
      .max(MAX_DAYS, `must be at most ${MAX_DAYS} days`)
      .default(7)
      .describe('Days until the link expires.'),
  })
  .meta({ id: 'CreatePreview' });

export const createdPreview = z
  .object({
    url: z.url().meta({ example: 'https://platen.example.net/preview/3q2-7wAB' }),
    expires_at: timestamp,
  })
  .meta({ id: 'CreatedPreview' });
