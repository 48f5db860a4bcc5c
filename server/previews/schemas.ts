import { z } from 'zod';
import { fitsTheme, THEME_MAX_BYTES, THEME_TOO_LONG } from '../blogs/schemas.ts';
import { line, MAX_URL, storableText, timestamp } from '../wire/text.ts';

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

const pageAddress = line(MAX_URL)
  .default('')
  .describe('Path of a page, or slug of a post; the front page if missing.')
  .meta({ example: '/' });

export const previewLayoutBody = z
  .object({
    layout: storableText().refine(fitsTheme, THEME_TOO_LONG).meta({
      maxLength: THEME_MAX_BYTES,
      example: '<header><a href="/">{{ blog.name }}</a></header>\n{{ content }}',
    }),
    page: pageAddress,
  })
  .meta({ id: 'PreviewLayout' });

export const previewedLayout = z
  .object({
    html: z.string().meta({ example: '<!doctype html><html lang="en">…</html>' }),
    url: z.url().meta({
      description:
        'Opens the page in a browser. Its links lead to the other pages of the blog in this layout.',
      example: 'https://platen.example.net/preview/layouts/3q2-7wAB/',
    }),
    expires_at: timestamp,
  })
  .meta({ id: 'PreviewedLayout' });
