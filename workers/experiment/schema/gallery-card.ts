import * as v from 'valibot';

/** What an experiment of the gallery is about; cards are filtered by it. */
export const topics = [
  'inserts',
  'reads',
  'updates',
  'keys and indexes',
  'network',
  'connections',
  'data',
  'why',
  'custom statements',
] as const;

/**
 * What the picture on a card draws. throughput: of the targets that do any work. references: of reference targets, too,
 * where they are the point. course: throughput over the rows so far, of trials one by one. commits: the median latency
 * of commits. latency: the 99th percentile of calls.
 */
const pictureKinds = ['throughput', 'references', 'course', 'commits', 'latency'] as const;
export type PictureKind = (typeof pictureKinds)[number];

/** What the gallery says of an experiment beside its question. How long it takes and where it runs is computed. */
export const galleryCardSchema = v.strictObject({
  topic: v.picklist(topics),
  highlights: v.pipe(v.string(), v.minLength(1), v.maxLength(300), v.description('What to look at, in one sentence.')),
  picture: v.optional(v.pipe(v.picklist(pictureKinds), v.description('What its picture draws.')), 'throughput'),
  expectedFindings: v.optional(
    v.pipe(
      v.array(v.pipe(v.string(), v.regex(/^[a-z][a-zA-Z]*$/, 'is not the id of a finding'))),
      v.maxLength(20),
      v.description('Ids of the findings that are expected where the experiment shows what it is about.'),
    ),
    [],
  ),
});
export type GalleryCard = v.InferOutput<typeof galleryCardSchema>;
