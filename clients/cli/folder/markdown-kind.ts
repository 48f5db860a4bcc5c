import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The file at the root of a folder with the settings of its blog. */
export const SETTINGS_FILE = 'platen.yaml';

/**
 * How the texts of a folder are meant, by `markdown` in `platen.yaml`: `platen` if they have nothing of other generators,
 * `exact` if not even links change. Both are written by imports and exports.
 */
export const markdownKinds = ['platen', 'exact'] as const;
export type MarkdownKind = (typeof markdownKinds)[number];

/** The kind of a folder; undefined if it does not say. What is wrong with the file is for those who read all of it. */
export async function readMarkdownKind(folder: string): Promise<MarkdownKind | undefined> {
  try {
    const settings: unknown = parse(await readFile(join(folder, SETTINGS_FILE), 'utf8'), {
      logLevel: 'error',
    });
    const given =
      typeof settings === 'object' && settings !== null && 'markdown' in settings && settings.markdown;
    return markdownKinds.find((kind) => kind === given);
  } catch {
    return undefined;
  }
}
