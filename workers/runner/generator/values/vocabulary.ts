import { longestWord } from '#model/dataset/text-size.ts';
import { sentence } from '#model/format/sentence.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { shuffled } from '#stats/random/shuffle.ts';
import { fakerOf } from './names.ts';

/** The most frequent words of English prose, in about their order. */
const common =
  'the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which one you were all her she there would their we him been has when who will no more if out so what up said its about than into them can only other time new some could these two may first then do any like my now over such our'.split(
    ' ',
  );

/** Different lower-case words, the most frequent first: common ones, others in the seed's order, then compounds. */
export function vocabularyOf(size: number, seed: number): readonly string[] {
  const words = new Set(common);
  const { noun = [], verb = [], adjective = [], adverb = [], preposition = [] } = fakerOf('en').definitions.word;
  const others = [noun, verb, adjective, adverb, preposition].flat();
  for (const word of shuffled(others, seed, 0))
    if (/^[a-z]+$/.test(word) && word.length <= longestWord) words.add(word);
  const random = new Sfc32(seed);
  const short = noun.filter((word) => /^[a-z]{3,7}$/.test(word));
  while (words.size < size) words.add(short[random.below(short.length)]! + short[random.below(short.length)]!);
  return [...words].slice(0, size);
}

/** Made-up values of a list: words that are not too common, capitalised. */
export const valueNames = (count: number, seed: number): readonly string[] =>
  vocabularyOf(count + common.length, seed)
    .slice(common.length)
    .map(sentence);
