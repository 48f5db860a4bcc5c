import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument, YAMLParseError } from 'yaml';
import { z } from 'zod';
import type { UpdateBlog } from '../../../sdk/index.ts';
import { type FileMessage, lineAt, placeOf } from '../../folder/file-message.ts';
import { markdownKinds, SETTINGS_FILE } from '../../folder/markdown-kind.ts';
import { decode, UnreadableError } from '../../folder/source-file.ts';
import { FolderError } from '../../folder/walk.ts';

const redirect = z.object({ from: z.string(), to: z.string() });

const schema = z.strictObject({
  markdown: z.enum(markdownKinds, 'must be platen or exact').optional(),
  name: z.string().optional(),
  description: z.string().optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
  theme: z.record(z.string(), z.unknown()).optional(),
  theme_config: z.record(z.string(), z.unknown()).optional(),
  redirects: z
    .union(
      [z.array(redirect), z.record(z.string(), z.string())],
      'must be a list of from and to, or paths with targets',
    )
    .transform((given) =>
      Array.isArray(given) ? given : Object.entries(given).map(([from, to]) => ({ from, to })),
    )
    .optional(),
  // An export says where the blog was, which a deploy never changes.
  slug: z.string().optional(),
  url: z.string().optional(),
  custom_domain: z.string().nullish(),
});

export interface FolderSettings {
  /** What the blog is to be; its fields are checked by the server. */
  readonly blog: UpdateBlog;
  readonly redirects: readonly { readonly from: string; readonly to: string }[];
}

/** The settings of a folder; null if it has none. Throws a FolderError that names file and line. */
export async function readSettings(folder: string): Promise<FolderSettings | null> {
  const file = join(folder, SETTINGS_FILE);
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (!isThere) return null;
  const source = await readFile(file)
    .then(decode)
    .catch((error) => {
      if (error instanceof UnreadableError)
        throw refused({ file: SETTINGS_FILE, line: error.line, message: error.message });
      throw new FolderError(`${file} cannot be read (${error.code ?? error.message})`);
    });
  const document = parseDocument(source, { logLevel: 'error' });
  const [problem] = document.errors;
  if (problem instanceof YAMLParseError) {
    throw refused({
      file: SETTINGS_FILE,
      line: problem.linePos?.[0].line,
      message: `is not valid YAML: ${problem.message.split('\n')[0] ?? ''}`,
    });
  }
  const parsed = schema.safeParse(document.toJS() ?? {});
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path.map(String).join('.');
    const message =
      issue?.code === 'unrecognized_keys' ? 'is not a setting of a blog' : (issue?.message ?? '');
    const at = source.search(new RegExp(`^[ \\t]*${field?.split('.')[0] ?? ''}[ \\t]*:`, 'm'));
    throw refused({
      file: SETTINGS_FILE,
      line: at === -1 ? undefined : lineAt(source, at + 1),
      message: `\`${field ?? ''}\` ${message}`,
    });
  }
  const { name, description, settings, theme, theme_config = theme, redirects = [] } = parsed.data;
  const blog = { name, description, settings, theme_config };
  const given = Object.entries(blog).filter(([, value]) => value !== undefined);
  return { blog: Object.fromEntries(given), redirects };
}

const refused = (message: FileMessage): FolderError =>
  new FolderError(`${placeOf(message)}: ${message.message}`);
