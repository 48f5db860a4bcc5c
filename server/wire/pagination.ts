import { z } from 'zod';

const DEFAULT_PER_PAGE = 20;

const positiveInteger = z
  .string('must be given once')
  .regex(/^0*[1-9]\d{0,8}$/, {
    error: ({ input }) =>
      /^\d{10,}$/.test(String(input)) ? 'must be 999999999 or less' : 'must be a whole number, 1 or more',
  })
  .transform(Number)
  .meta({ type: 'integer', minimum: 1 });

/** The query parameters `page` and `per_page`, of which the latter is capped at `max`. */
export const pageQuery = (max: number) => ({
  page: positiveInteger.default(1).meta({ default: 1 }),
  per_page: positiveInteger
    .transform((perPage) => Math.min(perPage, max))
    .default(DEFAULT_PER_PAGE)
    .meta({ default: DEFAULT_PER_PAGE, description: `At most ${max}; larger values are reduced to it.` }),
});

export const pagination = z
  .object({
    page: z.int().min(1),
    per_page: z.int().min(1).meta({ example: DEFAULT_PER_PAGE }),
    total: z.int().min(0).meta({ example: 1 }).describe('Entries on all pages.'),
    total_pages: z.int().min(0).meta({ example: 1 }),
  })
  .meta({ id: 'Pagination' });

export const presentPagination = (
  { page, per_page }: { page: number; per_page: number },
  total: number,
): z.infer<typeof pagination> => ({ page, per_page, total, total_pages: Math.ceil(total / per_page) });
