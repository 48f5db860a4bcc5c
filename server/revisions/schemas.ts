import { z } from 'zod';
import { resolveAddress } from '../addresses/image-addresses.ts';
import { translationsResponse } from '../addresses/schemas.ts';
import { detailsResponse, presentAuthor, presentCover } from '../posts/details-schemas.ts';
import { timestamp } from '../wire/text.ts';
import type { Revision, RevisionSummary } from './revision.ts';

const revisionSummary = z
  .object({ id: z.uuid(), title: z.string().meta({ example: 'Hello, world' }), written_at: timestamp })
  .meta({ id: 'RevisionSummary' });

export const revisionList = z.object({ data: z.array(revisionSummary) }).meta({ id: 'RevisionList' });

export const fullRevision = revisionSummary
  .extend({
    content_md: z.string().meta({ example: 'My **first** post.' }),
    tags: z.array(z.string()).meta({ example: ['greetings'] }),
    meta: z.object({
      description: z.string().nullable().meta({ example: 'The first post of all.' }),
      og_image: z.string().nullable().meta({ example: null }),
    }),
    translations: translationsResponse,
    canonical_url: detailsResponse.canonical_url,
    language: detailsResponse.language,
    author: detailsResponse.author,
    cover_image: detailsResponse.cover_image,
  })
  .meta({ id: 'Revision' });

const presentSummary = ({ id, title, writtenAt }: RevisionSummary): z.infer<typeof revisionSummary> => ({
  id,
  title,
  written_at: writtenAt,
});

export const presentRevisions = (revisions: readonly RevisionSummary[]): z.infer<typeof revisionList> => ({
  data: revisions.map(presentSummary),
});

export const presentRevision = (revision: Revision, mediaUrl: string): z.infer<typeof fullRevision> => ({
  ...presentSummary(revision),
  content_md: revision.contentMd,
  tags: [...revision.tags],
  meta: {
    description: revision.metaDescription,
    og_image: revision.ogImage === null ? null : resolveAddress(revision.ogImage, mediaUrl),
  },
  translations: revision.translations,
  canonical_url: revision.canonicalUrl,
  language: revision.language,
  author: presentAuthor(revision.author, mediaUrl),
  cover_image: presentCover(revision.coverImage, mediaUrl),
});
