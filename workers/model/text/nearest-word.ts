import type { Problem } from './diagnostic.ts';

/**
 * Edits between two words: insertions, deletions, substitutions and swaps of neighbours (optimal string alignment,
 * Damerau 1964). Case counts half an edit, so that `Bulk` finds `bulk` first.
 */
export function editDistance(a: string, b: string): number {
  let beforePrevious: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = previous[j - 1]! + substitutionCost(a.charAt(i - 1), b.charAt(j - 1));
      const best = Math.min(previous[j]! + 1, row[j - 1]! + 1, substituted);
      const swapped =
        i > 1 && j > 1 && a.charAt(i - 1) === b.charAt(j - 2) && a.charAt(i - 2) === b.charAt(j - 1)
          ? beforePrevious[j - 2]! + 1
          : Number.POSITIVE_INFINITY;
      row.push(Math.min(best, swapped));
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length]!;
}

function substitutionCost(a: string, b: string): number {
  if (a === b) return 0;
  return a.toLowerCase() === b.toLowerCase() ? 0.5 : 1;
}

/** Longer words are no mistyped names, and comparing them would waste time. */
const longestWord = 80;

/** The candidate that was probably meant; null if none is near enough (a third of the word, at least two edits). */
export function nearestWord(word: string, candidates: Iterable<string>): string | null {
  if (word.length > longestWord) return null;
  let nearest: string | null = null;
  let nearestDistance = Math.max(2, word.length / 3);
  if (word.length <= 3) nearestDistance = 1;
  // `rows_per_call` and `rows-per-call` are the same word in another notation, not typing errors.
  const plain = stripped(word);
  for (const candidate of candidates) {
    if (candidate.length > longestWord) continue;
    const distance = Math.min(
      editDistance(word, candidate),
      plain !== '' && stripped(candidate) === plain ? 0.5 : Infinity,
    );
    if (distance < nearestDistance || (nearest === null && distance === nearestDistance)) {
      nearest = candidate;
      nearestDistance = distance;
    }
  }
  return nearest;
}

const stripped = (word: string): string => word.toLowerCase().replaceAll(/[\s_-]/g, '');

/** "Did you mean …?", or null if no candidate is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string | null {
  const nearest = nearestWord(word, candidates);
  return nearest === null ? null : `Did you mean \`${nearest}\`?`;
}

/**
 * Suggestion and fix of a problem with a word: the candidate that was probably meant, in place of the key or the value
 * at `path`; `otherwise` if none is near.
 */
export function meantWord(
  { path, at }: Pick<Problem, 'path' | 'at'>,
  word: string,
  candidates: Iterable<string>,
  otherwise: string | null,
): Pick<Problem, 'suggestion' | 'fix'> {
  const nearest = nearestWord(word, candidates);
  if (nearest === null) return { suggestion: otherwise };
  return {
    suggestion: `Did you mean \`${nearest}\`?`,
    fix: at === 'key' ? { kind: 'rename', path, name: nearest } : { kind: 'set', path, value: nearest },
  };
}

/** The level that was probably meant. For a number it lists all levels. */
export function meantLevel(level: unknown, levels: Iterable<string>): string {
  const near = typeof level === 'string' ? didYouMean(level, levels) : null;
  return near ?? `There are: ${[...levels].join(', ')}.`;
}
