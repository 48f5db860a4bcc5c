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

const ofGfm: Deviations = {
  'GFM makes text of `<script>`, `<style>` and `<textarea>`': [170, 171, 172, 173, 176, 178],
  'GFM makes links of bare addresses': [602, 608, 611, 612],
};

const ofThePolicy: Deviations = {
  'an element that is not on the list goes, and leaves its text': [
    150, 163, 201, 491, 524, 536, 613, 614, 615, 616, 617,
  ],
  'an attribute or a class that is not on the list goes': [152, 164, 169],
  'an id of the author’s gets a prefix': [153, 154],
  'an address with a scheme that is not on the list goes': [596, 598, 599, 601],
};

const corpus = corpusDir();
if (corpus !== null) {
  describe('CommonMark 0.31.2', () => {
    const examples = readExamples(corpus, 'commonmark-0.31.2');

    it('the CommonMark suite has all of its examples', () => expect(examples).toHaveLength(652));

    it('the parser output equals CommonMark to the letter, except where GFM differs', () => {
      expect(deviationsOfParser(examples)).toEqual(numbers(ofGfm));
    });

    it('the pipeline loses nothing of CommonMark but for our additions and the sanitiser’s policy', () => {
      expect(deviationsWithoutPolicy(examples)).toEqual(numbers(ofGfm));
    });

    it('the sanitiser removes only what has a reason to go from CommonMark', () => {
      expect(deviationsOfPipeline(examples)).toEqual(numbers({ ...ofGfm, ...ofThePolicy }));
    });
  });
}
