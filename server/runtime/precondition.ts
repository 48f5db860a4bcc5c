/**
 * Compares the current state of a resource with the version that the client wants to change (`If-Match`). Throws
 * `precondition_failed` for another version, and `bad_request` for a header without a tag.
 */
export type Precondition = (current: { readonly updatedAt: string }) => void;
