import { z } from 'zod';
import { errorCodes } from '../runtime/errors.ts';
import { problems, warnings } from './mistake.ts';

/** The interface's "Error object". */
export const errorObject = z
  .object({
    error: z.enum(errorCodes),
    message: z.string().describe('What went wrong, for people to read; one line for each entry of `errors`.'),
    errors: problems
      .optional()
      .describe('All that is wrong with the body or the query of an invalid request, the first ten entries.'),
    warnings: warnings.optional(),
    docs: z.url().optional().meta({
      description: 'The section of the guides that explains what to do, if there is one.',
      example: 'https://platen.example.org/docs/accounts/#credentials',
    }),
    upgrade_url: z.url().optional().describe('Where to change to a plan that allows this.'),
    retry_after: z.int().min(0).optional().describe('Whole seconds until a retry may succeed.'),
  })
  .meta({ id: 'Error' });
