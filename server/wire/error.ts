import { z } from 'zod';
import { errorCodes } from '../runtime/errors.ts';

/** The interface's "Error object". */
export const errorObject = z
  .object({
    error: z.enum(errorCodes),
    message: z.string().describe('What went wrong, for people to read.'),
    upgrade_url: z.url().optional().describe('Where to change to a plan that allows this.'),
    retry_after: z.int().min(0).optional().describe('Whole seconds until a retry may succeed.'),
  })
  .meta({ id: 'Error' });
