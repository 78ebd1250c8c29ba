import * as v from 'valibot';
import { oneLine } from '#model/text/printable.ts';

/** The text that a user has written about a run. */
export interface RunAnnotation {
  /** One line; empty without one. The name of a run's experiment is another text (`RunEntry.name`). */
  readonly title: string;
  /** Any text; empty without one. */
  readonly note: string;
  readonly tags: readonly string[];
}

/** The annotation of a run about which the user has written nothing. */
export const noAnnotation: RunAnnotation = { title: '', note: '', tags: [] };

/**
 * A change of an annotation; absent parts stay. `isBaseline`: pins the run as the baseline of its experiment, or unpins
 * it.
 */
export interface AnnotationChange extends Partial<RunAnnotation> {
  readonly isBaseline?: boolean;
}

/** The largest number of tags of a run. */
export const mostTags = 20;
/** The largest number of characters of a run's title. */
export const longestTitle = 100;
const longestNote = 20_000;
const longestTag = 40;

/** Words that name runs in commands, so that no tag may have their names. */
const runWords: readonly string[] = ['last', 'baseline', 'pinned'];

/** The reason, as a sentence, why a text cannot be a tag; null if it can. */
export function tagProblem(tag: string): string | null {
  if (tag.length > longestTag) return `A tag has at most ${longestTag} characters.`;
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._+/-]*$/u.test(tag))
    return 'A tag begins with a letter or digit, and contains letters, digits and . _ + / - only.';
  return runWords.includes(tag.toLowerCase()) ? `“${tag}” already names a run in commands.` : null;
}

const title = v.pipe(
  v.string(),
  v.maxLength(longestTitle),
  v.check((text) => text === oneLine(text), 'A title is one line.'),
);
const note = v.pipe(v.string(), v.maxLength(longestNote));
const tag = v.pipe(
  v.string(),
  v.check(
    (text) => tagProblem(text) === null,
    (issue) => tagProblem(String(issue.input)) ?? '',
  ),
);
const tags = v.pipe(
  v.array(tag),
  v.maxLength(mostTags, `A run has at most ${mostTags} tags.`),
  v.check((all) => new Set(all).size === all.length, 'A tag is there twice.'),
);

/** The schema of {@link AnnotationChange}. */
export const annotationChangeSchema = v.strictObject({
  title: v.exactOptional(title),
  note: v.exactOptional(note),
  tags: v.exactOptional(tags),
  isBaseline: v.exactOptional(v.boolean()),
});

/** The schema of a stored annotation: a title, a note or a tag that does not match is left out. */
export const annotationSchema: v.GenericSchema<unknown, RunAnnotation> = v.object({
  title: v.fallback(title, ''),
  note: v.fallback(note, ''),
  tags: v.fallback(
    v.pipe(
      v.array(v.unknown()),
      v.transform((all) => [...new Set(all.filter((one) => v.is(tag, one)))].slice(0, mostTags)),
    ),
    [],
  ),
});
