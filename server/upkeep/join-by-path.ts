/** A path with its known item, its file, or both. At least one is not null. */
export interface JoinedPair<Known, File> {
  readonly path: string;
  readonly known: Known | null;
  readonly file: File | null;
}

interface WithPath {
  readonly path: string;
}

/**
 * Full outer join of two listings by path, both sorted by the bytes of their paths. Holds one item of each in memory.
 */
export async function* joinByPath<Known extends WithPath, File extends WithPath>(
  knowns: AsyncIterable<Known>,
  files: AsyncIterable<File>,
): AsyncGenerator<JoinedPair<Known, File>> {
  const left = knowns[Symbol.asyncIterator]();
  const right = files[Symbol.asyncIterator]();
  const next = async <T>(iterator: AsyncIterator<T>): Promise<T | null> => {
    const { done, value } = await iterator.next();
    return done ? null : value;
  };
  let [known, file] = [await next(left), await next(right)];
  while (known !== null || file !== null) {
    const order = comparePaths(known?.path, file?.path);
    const first = order <= 0 ? known : null;
    const second = order >= 0 ? file : null;
    yield { path: (first ?? second)?.path ?? '', known: first, file: second };
    if (first !== null) known = await next(left);
    if (second !== null) file = await next(right);
  }
}

function comparePaths(one: string | undefined, other: string | undefined): number {
  if (one === other) return 0;
  if (one === undefined || other === undefined) return one === undefined ? 1 : -1;
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
