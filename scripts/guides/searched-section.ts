/** An entry of the search index of the guides. */
export interface SearchedSection {
  /** Below `/docs/`, such as `markdown/#tables`. */
  readonly address: string;
  readonly guide: string;
  readonly heading: string;
  readonly text: string;
}
