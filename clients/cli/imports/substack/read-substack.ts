import { parseDate } from '../../folder/dates.ts';
import type { SourceFiles } from '../archive/source-files.ts';
import { ImportError } from '../import-error.ts';
import type { ImportReport } from '../import-report.ts';
import { barePost, type ImportedPost, type ImportSource } from '../imported-blog.ts';
import { parseCsv } from './csv.ts';

const MAX_TABLE = 64 * 1_048_576;
/** Bytes of the HTML of a post. */
const MAX_POST = 32 * 1_048_576;

/** The table of an export's posts. */
export const SUBSTACK_TABLE = /(?:^|\/)posts\.csv$/;

type Row = Readonly<Record<string, string>>;

/** Opens an export of Substack: `posts.csv`, and the text of each post in `posts/<id>.<slug>.html`. */
export async function readSubstack(
  files: SourceFiles,
  report: ImportReport,
  siteUrl: string | undefined,
): Promise<ImportSource> {
  const table = files.paths.find((path) => SUBSTACK_TABLE.test(path)) ?? '';
  const folder = table.slice(0, -'posts.csv'.length);
  const rows = parseCsv(await files.text(table, MAX_TABLE));
  if (rows.length > 0 && rows[0]?.post_id === undefined)
    throw new ImportError(`${files.placeOf(table, 1)}: there is no column post_id`);
  report.count(
    'lists of subscribers',
    files.paths.filter((path) => /(?:email_list|subscribers)[^/]*\.csv$/.test(path)).length,
  );
  report.remark(null, "Substack's export has no tags and no names of authors: add them to the front matter");
  return {
    settings: {},
    siteUrl,
    redirects: [{ from: '/feed/', to: '/rss.xml' }],
    async *posts() {
      for (const row of rows) {
        const name = row.post_id ?? '';
        const path = `${folder}posts/${name}.html`;
        if (!files.has(path)) {
          report.fail(row.title || name, `has no text: ${path} is missing`);
          continue;
        }
        try {
          yield postOf(row, await files.text(path, MAX_POST));
        } catch (error) {
          if (!(error instanceof ImportError)) throw error;
          report.fail(row.title || name, error.message);
        }
      }
    },
    imageAt: async () => null,
  };
}

function postOf(row: Row, html: string): ImportedPost {
  const remarks: string[] = [];
  const tell = (message: string) => void remarks.push(message);
  const { post_id = '', title = '', subtitle = '', post_date = '', podcast_url = '', type = '' } = row;
  const slug = post_id.replace(/^\d+\./, '');
  const date = parseDate(post_date);
  if (podcast_url !== '') tell(`its recording is not carried: Platen keeps images only (${podcast_url})`);
  if (type !== '' && !/^(?:newsletter|podcast|page)$/.test(type)) tell(`is of the kind ${type} in Substack`);
  return {
    ...barePost,
    title: title.trim() || slug,
    slug,
    type: type === 'page' ? 'page' : 'post',
    status: statusOf(row, date, tell),
    date,
    description: subtitle.replace(/\s+/g, ' ').trim() || undefined,
    oldAddresses: slug === '' ? [] : [`/p/${slug}`],
    body: { html },
    remarks,
  };
}

/** What was for paying readers alone must not become public here. */
function statusOf(
  { is_published, audience }: Row,
  date: string | undefined,
  tell: (message: string) => void,
): ImportedPost['status'] {
  if (is_published !== 'true') return 'draft';
  if (audience !== undefined && audience !== '' && audience !== 'everyone') {
    tell(`is for ${audience} in Substack: it is a draft here, because Platen has no paying readers`);
    return 'draft';
  }
  if (date !== undefined && new Date(date) > new Date()) {
    tell(`is scheduled for ${date}`);
    return 'scheduled';
  }
  return 'published';
}
