/** Something about an import that its author should know. */
export interface ReportEntry {
  /** Slug or name of the post; null: it is about the whole. */
  readonly post: string | null;
  readonly message: string;
}

/** Collects what could not be carried. */
export interface ImportReport {
  /** A post that is not imported. */
  fail(post: string, message: string): void;
  /** What a post lost, or what became of it. */
  remark(post: string | null, message: string): void;
  /** Counts things that have no place in Platen, such as comments. */
  count(things: string, number: number): void;
  readonly failed: readonly ReportEntry[];
  readonly remarks: readonly ReportEntry[];
  /** How many of each were left behind. */
  readonly counts: ReadonlyMap<string, number>;
  /** Remarks that are counted and not kept. */
  readonly omitted: number;
}

/** Entries of each kind that are kept. An export of a million faults must not fill the memory. */
const MAX_ENTRIES = 20_000;

export function createImportReport(): ImportReport {
  const failed: ReportEntry[] = [];
  const remarks: ReportEntry[] = [];
  const counts = new Map<string, number>();
  let omitted = 0;
  const add = (entries: ReportEntry[], entry: ReportEntry) => {
    if (entries.length < MAX_ENTRIES) entries.push(entry);
    else omitted += 1;
  };
  return {
    fail: (post, message) => add(failed, { post, message }),
    remark: (post, message) => add(remarks, { post, message }),
    count(things, number) {
      if (number > 0) counts.set(things, (counts.get(things) ?? 0) + number);
    },
    failed,
    remarks,
    counts,
    get omitted() {
      return omitted;
    },
  };
}

/** The report as a text file: what is missing first. */
export function reportText({ failed, remarks, counts, omitted }: ImportReport): string {
  const lines = (entries: readonly ReportEntry[]) =>
    entries.map(({ post, message }) => `  ${post === null ? '' : `${post}: `}${message}`);
  const sections = [
    ...(failed.length > 0 ? ['Not imported:', ...lines(failed), ''] : []),
    ...(counts.size > 0
      ? ['Left behind:', ...[...counts].map(([things, number]) => `  ${things}: ${number}`), '']
      : []),
    ...(remarks.length > 0 ? ['Look at:', ...lines(remarks), ''] : []),
    ...(omitted > 0 ? [`and ${omitted} more`, ''] : []),
  ];
  return sections.length === 0 ? 'Everything was carried over.\n' : sections.join('\n');
}
