/** A redirect that the owner of a blog has set. */
export interface OwnerRedirect {
  readonly id: string;
  /** The file of the redirect in the blog's folder: `2019/03/hello.html`, `old/index.html`. */
  readonly path: string;
  /** An absolute http(s) URL, or an address on the blog with query and fragment; both as URL parsers print them. */
  readonly target: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A redirect to set. `field` names its `from` in error messages. */
export interface RedirectInput extends Pick<OwnerRedirect, 'path' | 'target'> {
  readonly field: string;
}

/** What setting a redirect did. */
export const redirectOutcomes = ['created', 'replaced', 'unchanged'] as const;
export type RedirectOutcome = (typeof redirectOutcomes)[number];

/** Redirects that lead nowhere so far: the fields of the first targets with their addresses, and how many more. */
export interface DeadEnds {
  readonly first: readonly { readonly field: string; readonly address: string }[];
  readonly more: number;
}

/** The outcomes are in the order of the request. */
export interface SetRedirects {
  readonly outcomes: readonly { readonly id: string; readonly outcome: RedirectOutcome }[];
  /** Where redirects of the request lead to addresses of the blog at which nothing is published. */
  readonly deadEnds: DeadEnds;
  readonly rebuildId: string | null;
}

/** Redirects of one blog. */
export const MAX_REDIRECTS = 10_000;
