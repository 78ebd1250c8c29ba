import { ruleTitle } from '#analysis/findings/registry.ts';
import type { GalleryEngine, GalleryPage } from '#protocol/gallery-page.ts';
import { formatWait } from '../ui/text/format-wait.ts';

/** Titles of findings by their ids. */
export const findingTitles = (ids: readonly string[]): readonly string[] => ids.map(ruleTitle);

/** Estimated duration on this machine: "45 s", or "3 min to 20 min" if repeats vary. */
export function waitText({ sizes }: GalleryPage): string {
  const seconds = sizes[0]?.seconds;
  if (seconds === undefined) return '–';
  const [least, most] = [formatWait(seconds.least), formatWait(seconds.most)];
  return least === most ? most : `${least} to ${most}`;
}

export const runsOn = ({ engines }: Pick<GalleryPage, 'engines'>): readonly GalleryEngine[] =>
  engines.filter(({ cells }) => cells > 0);

/** The first reason why an engine cannot run an experiment. */
export const reasonAgainst = ({ label, reasons: [first] }: GalleryEngine): string =>
  `${label}: ${first?.reason ?? 'nothing of it can run there.'}`;
