import type { LayoutPool } from '../../../generator/layouts/pool.ts';
import type { UnknownVariables } from '../../../generator/layouts/unknown-variables.ts';
import type { Caller } from '../../access/caller.ts';
import { translateRefusals } from '../../runtime/refusals.ts';
import type { Mistakes } from '../../wire/mistake.ts';

/** Checks of owners' layouts. */
export interface Layouts {
  /**
   * Renders sample pages of every kind with the layout, and reports the variables that no page has. Throws
   * `bad_request` with line and column for an invalid layout, and `rate_limit_exceeded` while too many checks of the
   * account are queued.
   */
  assertValid(caller: Caller, layout: string, report: Report): Promise<void>;
}

/** Takes what is probably wrong with a layout that can be used all the same. May throw to refuse it. */
export type Report = (mistakes: Mistakes) => void;

export function createLayouts({ pool }: { readonly pool: Pick<LayoutPool, 'try'> }): Layouts {
  return {
    async assertValid({ accountId }, layout, report) {
      const field = 'theme_config.layout';
      const unknown = await translateRefusals(field, () => pool.try(layout, { owner: accountId }));
      report(mistakesIn(field, unknown));
    },
  };
}

export const mistakesIn = (field: string, { first, more }: UnknownVariables): Mistakes => ({
  first: first.map((message) => ({ field, message, warning: `${field}: ${message}` })),
  more,
});
