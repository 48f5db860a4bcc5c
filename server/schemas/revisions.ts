import { z } from 'zod';
import type { Revision, RevisionSummary } from '../store/revisions.ts';
import { moment } from './text.ts';

const revisionSummary = z.object({ id: z.uuid(), title: z.string(), written_at: moment });

export const revisionList = z.object({ data: z.array(revisionSummary) });

export const fullRevision = revisionSummary.extend({
  content_md: z.string(),
  tags: z.array(z.string()),
  meta: z.object({ description: z.string().nullable(), og_image: z.string().nullable() }),
});

const presentSummary = ({ id, title, writtenAt }: RevisionSummary): z.infer<typeof revisionSummary> => ({
  id,
  title,
  written_at: writtenAt,
});

export const presentRevisions = (revisions: readonly RevisionSummary[]): z.infer<typeof revisionList> => ({
  data: revisions.map(presentSummary),
});

export const presentRevision = (revision: Revision): z.infer<typeof fullRevision> => ({
  ...presentSummary(revision),
  content_md: revision.contentMd,
  tags: [...revision.tags],
  meta: { description: revision.metaDescription, og_image: revision.ogImage },
});
