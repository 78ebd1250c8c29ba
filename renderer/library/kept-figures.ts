import type { ThumbnailFigures } from '#presentation/charts/thumbnail-figures.ts';
import type { FiguresOf } from '#presentation/stories/story-text.ts';

/** `npm run pictures` writes these figures of real runs beside the pictures of the cards. */
const files = import.meta.glob<ThumbnailFigures>('../../experiments/pictures/*.json', {
  import: 'default',
  eager: true,
});

/** The figures behind the picture of a gallery card. */
export const keptFigures: FiguresOf = (experiment) => files[`../../experiments/pictures/${experiment}.json`] ?? null;
