/** Opens something when it is first asked for, and hands out the same from then on. What fails is tried again. */
export function openOnce<T>(open: () => Promise<T>): () => Promise<T> {
  let opening: Promise<T> | null = null;
  return () => {
    opening ??= open();
    return opening.catch((error: unknown) => {
      opening = null;
      throw error;
    });
  };
}
