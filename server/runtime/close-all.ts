/** Closes all parts in order, even if some fail. Rejects with the first failure. */
export async function closeAll(parts: Iterable<() => void | Promise<void>>): Promise<void> {
  const failures: unknown[] = [];
  for (const close of parts) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
