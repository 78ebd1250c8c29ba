import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { galleryFolder } from '#platform/paths.ts';
import type { ThumbnailFigures } from '#presentation/charts/thumbnail-figures.ts';
import { stories } from '#presentation/stories/stories.ts';
import { type FiguresOf, marksOf, storyText } from '#presentation/stories/story-text.ts';
import { markdownTable } from '../file-format/markdown.ts';

/** Figures that `npm run pictures` has written. */
const figuresOf: FiguresOf = (experiment) => {
  const file = join(galleryFolder, 'pictures', `${experiment}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ThumbnailFigures) : null;
};

/** The blocks of docs/stories/: a page for each story, and the number of things that can be repeated. */
export const storyBlocks: Readonly<Record<string, () => string>> = {
  ...Object.fromEntries(stories.map((story) => [`story ${story.id}`, () => storyText(story, figuresOf)])),
  stories: () => {
    const rows = stories.map((story) => {
      const { asWritten, partly, cannot } = marksOf(story);
      return [`[${story.title}](${story.id}.md)`, story.year, asWritten, partly, cannot, story.items.length].map(
        String,
      );
    });
    const all = marksOf({ items: stories.flatMap(({ items }) => items) });
    const total = [all.asWritten, all.partly, all.cannot, all.asWritten + all.partly + all.cannot].map(String);
    return markdownTable(
      ['story', 'year', 'as written', 'partly', 'cannot', 'all'],
      [...rows, ['all stories', '', ...total]],
    );
  },
};
