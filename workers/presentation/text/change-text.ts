import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { Steadiness } from '#analysis/run-model/steadiness.ts';
import type { Change, Meanwhile } from '#analysis/server/changes.ts';
import { eventText } from '#analysis/server/event-summary.ts';
import type { TrialDetails } from '#analysis/server/trial-details.ts';
import { waitName } from '#engine-api/probe-info.ts';
import {
  formatBytes,
  formatCount,
  formatInterval,
  formatMs,
  formatPercent,
  formatRate,
  formatShort,
} from '#model/format/format.ts';
import type { TargetRecord } from '#protocol/journal.ts';

/** "−34 %". */
export const changeShare = ({ before, after }: Change): string =>
  `${after >= before ? '+' : '−'}${formatPercent(Math.abs(after / before - 1))}`;

/** "At 34 s 12.3k → 8.10k rows/s (−34 %); at the same time: Checkpoints (1.2 s)". */
function formatChange(
  change: Change,
  unit: string,
  target: string,
  model: { readonly targets: readonly TargetRecord[] },
): string {
  const { atMs, before, after, meanwhile } = change;
  const list = meanwhile.map((one) => meanwhileText(one, target, model)).join(', ');
  return `At ${formatMs(atMs)} ${formatShort(before)} → ${formatRate(after, unit)} (${changeShare(change)})${
    list === '' ? '' : `; at the same time: ${list}`
  }`;
}

function meanwhileText(one: Meanwhile, target: string, model: { readonly targets: readonly TargetRecord[] }): string {
  const label = waitName(one.name) ?? eventText(model, target, one.name);
  if (one.what === 'checkpoint') return one.count === 1 ? label : `${label} (${formatCount(one.count)})`;
  if (one.what === 'event') return `${label} (${formatMs(one.durationMs)})`;
  const unit = model.targets.find(({ name }) => name === target)?.probeInfo[one.name]?.unit;
  const format = unit === 'bytes' ? formatBytes : formatShort;
  const each = one.what === 'counter' ? ' per second' : '';
  const named = unit === 'ms' || unit === 'us' ? ` (${unit})` : '';
  return `${label}${each}${named} ${format(one.before)} → ${format(one.after)}`;
}

export const withinNote =
  'Each trial of 20 seconds or more, evaluated from its seconds. The 95 % interval covers the steady part of this one trial, and is widened for the correlation of its seconds; verdicts use the repeats instead. A trial is steady if its trend changes by at most 2 % with 97.5 % certainty; otherwise MSER-5 first removes a warm-up. Changes of 5 % or more are found by E-divisive. The work of the server at the same time is not necessarily their cause.';

/** "1.02k (1.00k–1.04k)". */
export const formatWithin = ({ within }: Steadiness): string => (within === null ? '–' : formatInterval(within));

/** All changes as text, one after the other. Empty without changes. */
export const changesTexts = ({ view, changes }: TrialDetails, model: RunModel, unit: string): readonly string[] =>
  changes.map((change) => formatChange(change, unit, view.trial.target, model));
