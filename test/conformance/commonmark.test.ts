import { describe, expect, it } from 'vitest';
import { corpusDir } from '../support/corpus.ts';
import {
  type Deviations,
  deviationsOfParser,
  deviationsOfPipeline,
  numbers,
  readExamples,
} from './examples.ts';

const deviations: Deviations = {
  'GFM makes text of `<script>`, `<style>` and `<textarea>`': [170, 171, 172, 173, 176, 178],
  'GFM makes links of bare addresses': [602, 608, 611, 612],
};

const corpus = corpusDir();
if (corpus !== null) {
  describe('CommonMark 0.31.2', () => {
    const examples = readExamples(corpus, 'commonmark-0.31.2');

    it('has all its examples', () => expect(examples).toHaveLength(652));

    it('is parsed to the letter, save where GFM differs', () => {
      expect(deviationsOfParser(examples)).toEqual(numbers(deviations));
    });

    it('comes through the pipeline with nothing but the sanitiser’s policy and our anchors added', () => {
      expect(deviationsOfPipeline(examples)).toEqual(numbers(deviations));
    });
  });
}
