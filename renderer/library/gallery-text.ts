import { ruleTitle } from '#analysis/findings/registry.ts';
import { many } from '#model/format/plural.ts';
import type { GalleryEngine, GalleryPage } from '#protocol/gallery-page.ts';
import { formatWait } from '../ui/text/format-wait.ts';

/** Titles of findings by their ids. */
export const findingTitles = (ids: readonly string[]): readonly string[] => ids.map(ruleTitle);

/** The estimated duration on this machine: "45 s", or "3 min to 20 min" if the number of repeats varies. */
export function waitText({ sizes }: GalleryPage): string {
  const seconds = sizes[0]?.seconds;
  if (seconds === undefined) return '–';
  const [least, most] = [formatWait(seconds.least), formatWait(seconds.most)];
  return least === most ? most : `${least} to ${most}`;
}

export const runsOn = ({ engines }: Pick<GalleryPage, 'engines'>): readonly GalleryEngine[] =>
  engines.filter(({ cells }) => cells > 0);

/** "every engine", or "6 of 8 engines". */
export function enginesText(page: GalleryPage): string {
  const count = runsOn(page).length;
  return count === page.engines.length ? 'every engine' : `${count} of ${many(page.engines.length, 'engine')}`;
}
