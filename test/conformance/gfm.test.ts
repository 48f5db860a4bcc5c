import { describe, expect, it } from 'vitest';
import { corpusDir } from '../support/corpus.ts';
import {
  type Deviations,
  deviationsOfParser,
  deviationsOfPipeline,
  deviationsWithoutPolicy,
  numbers,
  readExamples,
} from './examples.ts';

interface Suite {
  readonly name: string;
  readonly count: number;
  /** Examples in which the suite itself cannot be followed. */
  readonly ofTheSuite: Deviations;
  /** Examples of which the sanitiser removes something. */
  readonly ofThePolicy: Deviations;
}

const suites: readonly Suite[] = [
  {
    name: 'gfm-spec',
    count: 673,
    ofTheSuite: {
      'the document’s own CommonMark part forgets `<script>`, `<style>` and `<textarea>`, which its extension forbids':
        [140, 141, 142, 145, 147],
      'the attributes of a checkbox stand in another order': [279, 280],
      'the document’s own CommonMark part forgets that bare addresses become links': [610, 616, 619, 620],
      'CommonMark 0.31 has other rules for comments': [645, 646],
    },
    ofThePolicy: {
      'an element that is not on the list goes, and leaves its text': [
        120, 133, 170, 500, 532, 544, 632, 633, 634, 635, 636,
      ],
      'an attribute or a class that is not on the list goes': [122, 134, 139],
      'an id of the author’s gets a prefix': [123, 124],
      'an address with a scheme that is not on the list goes': [604, 606, 607, 609, 628],
    },
  },
  {
    name: 'gfm-extensions',
    count: 28,
    ofTheSuite: {
      'bare addresses must have a host with a dot, and none of emoji': [19],
      'no output is specified': [20],
      'footnotes are named after their labels': [23],
    },
    ofThePolicy: { 'an element that is not on the list goes, and leaves its text': [22] },
  },
  {
    name: 'gfm-regression',
    count: 19,
    ofTheSuite: {
      'footnotes are named after their labels, and each reference has its way back': [13],
      '`</script>` and `</style>` become text as their opening tags do': [17],
    },
    ofThePolicy: {
      'an element that is not on the list goes, and leaves its text': [6],
      'an attribute or an element of metadata goes': [9, 14],
    },
  },
];

const corpus = corpusDir();
if (corpus !== null) {
  describe.each(suites)('$name', ({ name, count, ofTheSuite, ofThePolicy }) => {
    const examples = readExamples(corpus, name);

    it('the suite has all of its examples', () => expect(examples).toHaveLength(count));

    it('the parser output equals the suite to the letter, except where it cannot', () => {
      expect(deviationsOfParser(examples)).toEqual(numbers(ofTheSuite));
    });

    it('the pipeline loses nothing but for our additions and the sanitiser’s policy', () => {
      expect(deviationsWithoutPolicy(examples)).toEqual(numbers(ofTheSuite));
    });

    it('the sanitiser removes only what has a reason to go', () => {
      expect(deviationsOfPipeline(examples)).toEqual(
        numbers({ ...ofTheSuite, of: Object.values(ofThePolicy).flat() }),
      );
    });
  });
}
