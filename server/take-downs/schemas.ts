import { z } from 'zod';
import { timestamp } from '../wire/text.ts';
import type { TakeDownState } from './take-down.ts';

const TAKEN_DOWN_AT = 'When the operator of the server took it down. Present only while it is taken down.';

/** What the owner of a blog or post that is taken down sees. Absent otherwise. */
export const takeDownFields = {
  taken_down_at: timestamp.optional().describe(TAKEN_DOWN_AT),
  taken_down_reason: z.string().optional().meta({
    description: 'The reason, in the words of the operator.',
    example: 'Phishing: reported on 2026-11-20.',
  }),
};

interface TakeDownFields {
  taken_down_at?: string;
  taken_down_reason?: string;
}

export const presentTakeDown = ({ takenDownAt, takenDownReason }: TakeDownState): TakeDownFields =>
  takenDownAt === null ? {} : { taken_down_at: takenDownAt, taken_down_reason: takenDownReason ?? '' };
