import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { catalog } from '#engines/catalog.ts';
import { coverageOf } from '#planning/gallery.ts';
import { galleryFolder } from '#platform/paths.ts';
import type { GalleryEngine } from '#protocol/gallery-page.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { markdownTable } from '../file-format/markdown.ts';

const descriptors = catalog.map(({ descriptor }) => descriptor);
const ending = '.dyno.yaml';

/** The block of experiments/README.md: the experiments that run on each engine, from the plans of the files. */
export const galleryBlocks: Readonly<Record<string, () => string>> = {
  coverage: () => {
    const rows = readdirSync(galleryFolder)
      .filter((file) => file.endsWith(ending))
      .map((file) => ({
        name: basename(file, ending),
        engines: coverageOf(parseFile(readFileSync(join(galleryFolder, file), 'utf8')), descriptors),
      }));
    const notes = new Map<string, number>();
    const noteOf = (reason: string): string => {
      const number = notes.get(reason) ?? notes.size + 1;
      notes.set(reason, number);
      return `[^${number}]`;
    };
    const labels = rows[0]?.engines.map(({ label }) => label) ?? [];
    const table = markdownTable(
      ['experiment', ...labels],
      rows.map(({ name, engines }) => [
        `[${name}](${name}${ending})`,
        ...engines.map((engine) => coverageText(engine, noteOf)),
      ]),
    );
    return [table, [...notes].map(([reason, number]) => `[^${number}]: ${reason}`).join('\n')].join('\n\n');
  },
};

/** "runs", "**3 of 4** [^2]", "your server" or "cannot [^1]". */
function coverageText({ target, isListed, cells, reasons }: GalleryEngine, noteOf: (reason: string) => string): string {
  // A single variant compares nothing, so that the others are missed.
  const left = reasons.filter(({ isSameAsAnother }) => cells === 1 || !isSameAsAnother);
  const of = left.reduce((sum, { variants }) => sum + variants.length, cells);
  const notes = left.length === 0 ? '' : ` ${left.map(({ reason }) => noteOf(reason)).join('')}`;
  if (cells === 0) return `cannot${notes}`;
  const part = cells < of ? `${cells} of ${of}` : '';
  const text = target === null ? [part, 'your server'].filter(Boolean).join(', ') : part || 'runs';
  return `${isListed ? `**${text}**` : text}${notes}`;
}
