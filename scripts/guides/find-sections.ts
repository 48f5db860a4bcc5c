import { createRanking } from '../../generator/search/ranking.ts';
import type { SearchedPost } from '../../generator/search/recent-index.ts';
import { correctedQuery, createVocabulary } from '../../generator/search/vocabulary.ts';
import { folded, WORD } from '../../generator/search/words.ts';
import type { SearchedSection } from './searched-section.ts';

/** What a reader of the guides finds. */
export interface FoundSections {
  /** The words that found it, some of which may be the reader's without their typing errors. */
  readonly query: string;
  readonly isCorrected: boolean;
  /** Whether no section has all of these words: then it is sections with some of them. */
  readonly isPartial: boolean;
  /** Best first: `slug` is the address of a section, `title` its heading, `description` its guide. */
  readonly sections: readonly SearchedPost[];
}

/** Words of questions, which say nothing about a subject. The guides are in English. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be by can do does for from how i in is it its my of on or the to what when where which ' +
    'why with without you your'
  ).split(' '),
);

/**
 * A search over the guides. Sections are ranked as posts of a blog are: by heading, then guide, then text. Words of
 * questions count only if nothing else is asked. A query that finds nothing is tried once more without typing errors,
 * and then finds the sections that have any of its words.
 */
export function createSectionSearch(sections: readonly SearchedSection[]): (query: string) => FoundSections {
  const posts = sections.map(({ address, guide, heading, text }) => ({
    ...{ id: address, slug: address, title: heading, description: guide, text },
    ...{ tags: [], lang: null, publishedAt: '' },
  }));
  const ranking = createRanking(posts);
  const vocabulary = createVocabulary();
  for (const post of posts) vocabulary.add(post);
  const withAll = (query: string, isCorrected: boolean): FoundSections => ({
    ...{ query, isCorrected, isPartial: false },
    sections: ranking.all(query),
  });

  return (asked) => {
    const exact = withAll(asked, false);
    if (exact.sections.length > 0) return exact;
    const query = withoutStopWords(asked);
    const found = withAll(query, false);
    if (found.sections.length > 0) return found;
    const corrected = correctedQuery(query, vocabulary.words());
    const better = corrected === null ? found : withAll(corrected, true);
    if (better.sections.length > 0) return better;
    return { query, isCorrected: false, isPartial: true, sections: ranking.any(query) };
  };
}

/** The query itself if it has no other words. */
function withoutStopWords(query: string): string {
  const words = (query.match(WORD) ?? []).filter((word) => !STOP_WORDS.has(folded(word)));
  return words.length === 0 ? query : words.join(' ');
}
