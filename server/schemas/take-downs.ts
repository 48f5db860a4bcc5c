import { z } from 'zod';
import type { Removable } from '../domain/take-down.ts';
import { moment } from './text.ts';

const ABOUT =
  'Since when the operator of the server keeps it from readers; until then it cannot be published.';

/** What the owner of a blog or post is told of its being taken down. */
export const takeDownFields = {
  taken_down_at: moment.nullable().meta({ description: ABOUT, example: null }),
  taken_down_reason: z
    .string()
    .nullable()
    .meta({ description: 'Why, in words of the operator.', example: null }),
};

export const presentTakeDown = ({ takenDownAt, takenDownReason }: Removable) => ({
  taken_down_at: takenDownAt,
  taken_down_reason: takenDownReason,
});
