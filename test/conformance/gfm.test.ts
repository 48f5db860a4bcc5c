import { describe, expect, it } from 'vitest';
import { corpusDir } from '../support/corpus.ts';
import {
  type Deviations,
  deviationsOfParser,
  deviationsOfPipeline,
  numbers,
  readExamples,
} from './examples.ts';

const suites: readonly { name: string; count: number; deviations: Deviations }[] = [
  {
    name: 'gfm-spec',
    count: 673,
    deviations: {
      'the document’s own CommonMark part forgets `<script>`, `<style>` and `<textarea>`, which its extension forbids':
        [140, 141, 142, 145, 147],
      'the attributes of a checkbox stand in another order': [279, 280],
      'the document’s own CommonMark part forgets that bare addresses become links': [610, 616, 619, 620],
      'CommonMark 0.31 has other rules for comments': [645, 646],
    },
  },
  {
    name: 'gfm-extensions',
    count: 28,
    deviations: {
      'bare addresses must have a host with a dot, and none of emoji': [19],
      'no output is specified': [20],
      'footnotes are named after their labels': [23],
    },
  },
  {
    name: 'gfm-regression',
    count: 19,
    deviations: {
      'footnotes are named after their labels, and each reference has its way back': [13],
      '`</script>` and `</style>` become text as their opening tags do': [17],
    },
  },
];

const corpus = corpusDir();
if (corpus !== null) {
  describe.each(suites)('$name', ({ name, count, deviations }) => {
    const examples = readExamples(corpus, name);

    it('has all its examples', () => expect(examples).toHaveLength(count));

    it('is parsed to the letter, save where it cannot be', () => {
      expect(deviationsOfParser(examples)).toEqual(numbers(deviations));
    });

    it('comes through the pipeline with nothing but the sanitiser’s policy and our anchors added', () => {
      expect(deviationsOfPipeline(examples)).toEqual(numbers(deviations));
    });
  });
}
