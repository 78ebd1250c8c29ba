import * as v from 'valibot';
import { described } from '#model/file-key.ts';

/** The groups of the gallery, in its order: kinds of questions. */
export const topics = [
  'writing',
  'reading',
  'transactions',
  'mixes',
  'load',
  'own SQL',
  'engine-specific',
  'diagnosis',
] as const;
export type Topic = (typeof topics)[number];

/**
 * The chart on a card. throughput: of the targets that are no references. references: of reference targets, too.
 * timeline: throughput by rows so far, trial by trial. commits: the median commit latency. latency: p99 of calls.
 */
const pictureKinds = ['throughput', 'references', 'timeline', 'commits', 'latency'] as const;
/** The kind of chart on a gallery card. */
export type PictureKind = (typeof pictureKinds)[number];

/** The gallery's description of an experiment, besides its question. Duration and supported engines are computed. */
export const galleryCardSchema = v.strictObject({
  topic: v.picklist(topics),
  picture: v.optional(described(v.picklist(pictureKinds), 'The panel that the card’s picture shows.'), 'throughput'),
  expectedFindings: v.optional(
    v.pipe(
      v.array(v.pipe(v.string(), v.regex(/^[a-z][a-zA-Z]*$/, 'is not the id of a finding'))),
      v.maxLength(20),
      v.description('Ids of the findings that the experiment is expected to show.'),
    ),
    [],
  ),
});
/** A valid gallery card. */
export type GalleryCard = v.InferOutput<typeof galleryCardSchema>;
