import type { GalleryEngine, GalleryPage } from '#contract/gallery.ts';
import { ruleTitle } from '../../workers/analysis/findings/registry.ts';
import { formatWait } from '../format-wait.ts';

/** Titles of findings by their ids. */
export const findingTitles = (ids: readonly string[]): readonly string[] => ids.map(ruleTitle);

/** How long the experiment takes here as it is written: "45 s"; "3 min to 20 min" where repeats may vary. */
export function waitText({ sizes }: GalleryPage): string {
  const seconds = sizes[0]?.seconds;
  if (seconds === undefined) return '–';
  const [least, most] = [formatWait(seconds.least), formatWait(seconds.most)];
  return least === most ? most : `${least} to ${most}`;
}

export const runsOn = ({ engines }: Pick<GalleryPage, 'engines'>): readonly GalleryEngine[] =>
  engines.filter(({ cells }) => cells > 0);

/** Why an engine runs nothing of it, in its first reason. */
export const whyNot = ({ label, reasons: [first] }: GalleryEngine): string =>
  `${label}: ${first?.reason ?? 'nothing of it can run there.'}`;
