import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatBytes } from '#model/format/format.ts';
import { caveatGroupText, groupCaveats, noCaveatText } from '../text/caveat-text.ts';
import { experimentName } from '../text/experiment-name.ts';
import { loadsText } from '../text/load-text.ts';
import { formatStart } from '../text/run-start.ts';
import type { Frame } from './kit/framed.ts';

/** The most kinds of caveats that a picture names. More kinds are counted. */
const mostCaveats = 6;
const longestRunName = 60;

/** The words around a chart that is saved or copied: its run, date, machine, versions and caveats. */
export function frameOf(run: RunModel, title: string, note: string | null): Frame {
  const { cpu, cores, memoryBytes, os, app } = run.environment;
  return {
    title,
    run: `${experimentName(run.plan)} · ${formatStart(run.startedAt)}${statusTexts[run.status]}`,
    note,
    facts: [
      ['Machine', [cpu, `${cores} cores`, formatBytes(memoryBytes), os].filter((part) => part !== '').join(', ')],
      ['Versions', [...run.targets.map(versionText), `Dyno ${app}`].join(' · ')],
      ['Load', loadsText(run.plan).replace(/^Load: /, '')],
      ['Caveats', caveatsText(run)],
    ],
  };
}

const statusTexts = {
  complete: '',
  running: ' · still running',
  cancelled: ' · cancelled',
  interrupted: ' · interrupted',
} as const;

/** The target, and the product if the target's name does not contain it. */
function versionText({ name, fingerprint }: RunModel['targets'][number]): string {
  if (!fingerprint || name.includes(fingerprint.product)) return name;
  return fingerprint.product.startsWith(name) ? fingerprint.product : `${name}: ${fingerprint.product}`;
}

function caveatsText(run: RunModel): string {
  const groups = groupCaveats(
    run,
    run.caveats.filter(({ severity }) => severity !== 'info'),
  );
  if (groups.length === 0) return noCaveatText(run);
  const more = groups.length - mostCaveats;
  return `${groups.slice(0, mostCaveats).map(caveatGroupText).join(' · ')}${more > 0 ? ` · ${more} more` : ''}`;
}

/** The file's name without extension: the run, its date and time, and the chart. */
export const chartFileName = (run: RunModel, id: string): string =>
  `${experimentName(run.plan).slice(0, longestRunName).trim()} ${run.startedAt.slice(0, 16).replace('T', ' ').replace(':', '')} ${id}`;
