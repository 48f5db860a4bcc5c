/** Who wrote a post. URLs are absolute. */
export interface Author {
  readonly name: string;
  readonly url: string | null;
  /** URL of a picture. */
  readonly image: string | null;
}
