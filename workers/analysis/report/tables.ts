import { many } from '#contract/count-words.ts';
import { keyKindOf } from '#contract/key-kind.ts';
import { cellOf } from '#contract/support-of.ts';
import { sizeOfTables } from '#contract/tables.ts';
import { sequentialUuid } from '#contract/uuid-order.ts';
import { variantLabel } from '#contract/variant-of.ts';
import type { Baseline } from '../baseline.ts';
import { builtInWords } from '../built.ts';
import { keyOf } from '../cell-key.ts';
import { changesInWords, withinWords } from '../change-words.ts';
import { ratios, usefulMargin } from '../compare.ts';
import { betweenCalls } from '../conflict-words.ts';
import { isContender, isReference } from '../contenders.ts';
import { eventSummaries } from '../event-summary.ts';
import {
  formatBytes,
  formatCount,
  formatMs,
  formatNumber,
  formatPercent,
  formatRate,
  formatRatio,
  formatShort,
  formatStored,
  rowsInWords,
} from '../format.ts';
import { likeForLikeTable } from '../like-for-like.ts';
import { loadFacts } from '../load-words.ts';
import { meanRatios } from '../mean-ratios.ts';
import { untilWords, warmupWords } from '../measure-words.ts';
import type { CellSummary, Interval, MeanRatio, Ratio, RunModel } from '../model.ts';
import { rateUnit } from '../select-cells.ts';
import { steadyInWords, trialDetails } from '../trial-details.ts';
import { percentWithin, repeatsOfRun, verdictDetail } from '../verdict-words.ts';
import { verifiedText } from '../verified-words.ts';
import { type Html, html } from './html.ts';

/** Every cell with throughput, ratio, time, latency, the time between calls and what to mind. */
export function resultTable(model: RunModel, baseline: Baseline): Html {
  const byCell = new Map(ratios(model, baseline).map((ratio) => [keyOf(ratio), ratio]));
  const rows = model.cells.map((cell, i) => {
    const { latencyMs } = cell;
    const first = model.cells[i - 1]?.variant !== cell.variant;
    return html`<tr class="${first ? 'group' : ''} ${isContender(model, cell.target) ? '' : 'reference'}"><td class="first">${first ? variantLabel(model.plan, cell.variant) : ''}</td>
<td class="target">${targetName(model, cell.target)}</td>
<td class="n">${withInterval(cell.rowsPerSecond, formatShort)}</td>
<td class="n">${ratioCell(byCell.get(keyOf(cell)))}</td>
<td class="n">${formatMs(cell.elapsedMs?.value)}</td>
<td class="n">${formatMs(latencyMs.p50)}</td>
<td class="n">${formatMs(latencyMs.p99)}</td><td class="n">${formatMs(latencyMs.p999)}</td><td class="n">${formatMs(latencyMs.max)}</td>
<td class="n">${formatPercent(betweenCalls(cell))}</td>
<td class="n">${cell.ok}${cell.failed > 0 ? html` <span class="badge error">${cell.failed} failed</span>` : ''}</td>
<td>${badges(model, cell)}</td></tr>`;
  });
  const means = meanRatios(model, baseline).map((mean, i) => {
    return html`<tr class="${i === 0 ? 'group' : ''} ${isContender(model, mean.target) ? '' : 'reference'}"><td class="first">${i === 0 ? 'Geometric mean' : ''}</td>
<td class="target">${targetName(model, mean.target)}</td><td></td><td class="n">${ratioCell(mean)}</td>
<td colspan="8">of the ratios of ${mean.variants} variants that both have</td></tr>`;
  });
  return html`<div class="scroll"><table><thead><tr><th>Variant</th><th>Target</th><th class="n">${rateUnit(model)}</th><th class="n">Ratio</th>
<th class="n">Elapsed</th><th class="n">p50</th><th class="n">p99</th><th class="n">p99.9</th><th class="n">max</th>
<th class="n">Between calls</th><th class="n">n</th><th></th></tr></thead><tbody>${rows}${means}</tbody></table></div>`;
}

function ratioCell(ratio: Ratio | MeanRatio | undefined): Html {
  if (ratio === undefined) return html`–`;
  if (ratio.verdict === 'baseline') return html`<span class="none">baseline</span>`;
  const { value, low, high } = ratio.ratio;
  const bounds = low === null || high === null ? '' : `${formatNumber(low)}–${formatNumber(high)}`;
  const word = {
    faster: '▲',
    slower: '▼',
    noDifferenceShown: '≈ no difference shown',
    notEnoughRepeats: 'too few repeats',
  }[ratio.verdict];
  const how = 'method' in ratio ? verdictDetail(ratio) : '';
  return html`<span class="${ratio.verdict === 'noDifferenceShown' ? 'none' : ratio.verdict}">${formatRatio(value)}</span> <span class="interval" title="${how}">${bounds} ${word}</span>${neededNote(ratio)}`;
}

/** Where the interval leaves the question open: the repeats that would narrow it. */
const neededNote = (ratio: Ratio | MeanRatio): Html =>
  'repeatsNeeded' in ratio &&
  ratio.repeatsNeeded !== null &&
  ratio.repeatsNeeded > ratio.ratio.n &&
  (ratio.verdict === 'noDifferenceShown' || ratio.verdict === 'notEnoughRepeats')
    ? html`<br><span class="interval">${percentWithin(usefulMargin)} by about ${formatCount(ratio.repeatsNeeded)} repeats</span>`
    : html``;

const withInterval = (interval: Interval | null, format: (value: number) => string): Html =>
  interval === null
    ? html`–`
    : interval.low === null
      ? html`${format(interval.value)}`
      : html`${format(interval.value)} <span class="interval">${format(interval.low)}–${format(interval.high!)}</span>`;

const badges = (model: RunModel, cell: CellSummary): readonly Html[] => [
  ...(isReference(model, cell.target) ? [html`<span class="badge info">reference</span>`] : []),
  ...model.caveats
    .filter((caveat) => caveat.cell?.variant === cell.variant && caveat.cell.target === cell.target)
    .map(({ severity, title, text }) => html`<span class="badge ${severity}" title="${text}">${title}</span>`),
];

/** A target's name with its colour. */
export function targetName({ plan }: RunModel, name: string): Html {
  const index = plan.targets.find((target) => target.name === name)?.index ?? 0;
  return html`<span class="swatch" style="background:var(--chart-series-${index % 8})"></span>${name}`;
}

/** Cells that were planned out or have no result, with the reason. */
export function missingTable(model: RunModel): Html | null {
  const failed = model.cells.filter(({ ok, failed }) => ok === 0 && failed > 0);
  const rows = [
    ...model.skipped.map((cell) => ({ ...cell, what: 'skipped' })),
    ...failed.map((cell) => ({
      ...cell,
      what: 'failed',
      reason: [cell.firstError?.message, cell.firstError?.hint].filter(Boolean).join(' ') || 'no reason was recorded',
    })),
    ...model.trials.flatMap(({ trial, damage }) =>
      damage === null ? [] : [{ ...trial, what: `trial ${trial.number} damaged`, reason: damage }],
    ),
  ].map(
    ({ variant, target, what, reason }) =>
      html`<tr><td class="first">${variantLabel(model.plan, variant)}</td><td class="target">${targetName(model, target)}</td><td>${what}</td><td>${reason}</td></tr>`,
  );
  return rows.length === 0
    ? null
    : html`<div class="scroll"><table><thead><tr><th>Variant</th><th>Target</th><th></th><th>Reason</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** What the servers were found to hold after the clock had stopped; the least of all repeats. */
export function rowsTable(model: RunModel): Html | null {
  const anyBuilt = model.cells.some(({ built }) => built !== null);
  const rows = model.cells.flatMap(({ variant, target, verification, storedBytesPerRow, built }) =>
    verification === null || isReference(model, target)
      ? []
      : [
          html`<tr><td class="first">${variantLabel(model.plan, variant)}</td><td class="target">${targetName(model, target)}</td><td>${verifiedText[verification.outcome]}</td><td>${verification.note}</td><td class="n">${formatStored(storedBytesPerRow)}</td>${anyBuilt ? html`<td>${built ? builtInWords(built) : ''}</td>` : ''}</tr>`,
        ],
  );
  return rows.length === 0
    ? null
    : html`<div class="scroll"><table><thead><tr><th>Variant</th><th>Target</th><th>Verified</th><th>How</th><th class="n">Stored per row</th>${anyBuilt ? html`<th>Built over the rows</th>` : ''}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** What the servers timed of their own work, all repeats together. */
export function eventTable(model: RunModel): Html | null {
  const rows = eventSummaries(model).map(
    ({ variant, target, label, count, totalMs, p50Ms, p99Ms, maxMs, bytes }, i, all) => {
      const first = all[i - 1]?.variant !== variant;
      return html`<tr class="${first ? 'group' : ''}"><td class="first">${first ? variantLabel(model.plan, variant) : ''}</td><td class="target">${targetName(model, target)}</td><td>${label}</td><td class="n">${formatCount(count)}</td><td class="n">${formatMs(totalMs)}</td><td class="n">${formatMs(p50Ms)}</td><td class="n">${formatMs(p99Ms)}</td><td class="n">${formatMs(maxMs)}</td><td class="n">${formatBytes(bytes)}</td></tr>`;
    },
  );
  return rows.length === 0
    ? null
    : html`<div class="scroll"><table><thead><tr><th>Variant</th><th>Target</th><th>Work</th><th class="n">Times</th><th class="n">In all</th><th class="n">p50</th><th class="n">p99</th><th class="n">Longest</th><th class="n">Bytes</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

export function calibrationTable({ calibration }: RunModel): Html | null {
  const rows = calibration.map(
    ({ label, perSecond, unit, p50Us, p99Us }) =>
      html`<tr><td>${label}</td><td class="n">${formatRate(perSecond, `${unit}/s`)}</td><td class="n">${formatMs(p50Us === null ? null : p50Us / 1e3)}</td><td class="n">${formatMs(p99Us === null ? null : p99Us / 1e3)}</td></tr>`,
  );
  return rows.length === 0
    ? null
    : html`<div class="scroll"><table><thead><tr><th>On this machine</th><th class="n">Rate</th><th class="n">p50</th><th class="n">p99</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** Settings of all targets side by side. */
export function likeForLike(model: RunModel): Html {
  const contenders = { ...model, targets: model.targets.filter(({ name }) => !isReference(model, name)) };
  const facts = [
    ['Product', contenders.targets.map(({ fingerprint, descriptor }) => fingerprint?.product ?? descriptor.label)],
    ['Driver', contenders.targets.map(({ descriptor }) => descriptor.driver)],
    ['Address', contenders.targets.map(({ address }) => address)],
    ...(contenders.targets.some(({ descriptor }) => descriptor.notice)
      ? [['To know', contenders.targets.map(({ descriptor }) => descriptor.notice ?? '')] as const]
      : []),
  ] as const;
  const rows = [
    ...facts.map(([name, values]) => html`<tr><td>${name}</td>${values.map((value) => html`<td>${value}</td>`)}</tr>`),
    ...likeForLikeTable(contenders).map(
      ({ group, setting, values, differs }) =>
        html`<tr class="${differs ? 'differs' : ''}"><td>${setting} <span class="interval">${group}</span></td>${values.map((value) => html`<td>${value ?? '–'}</td>`)}</tr>`,
    ),
  ];
  const head = contenders.targets.map(({ name }) => html`<th>${targetName(model, name)}</th>`);
  return html`<div class="scroll"><table><thead><tr><th></th>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** What the seconds of longer trials tell of each of them. */
export function withinTable(model: RunModel): Html | null {
  const unit = rateUnit(model);
  const rows = trialDetails(model).map((details) => {
    const { variant, target, repeat } = details.view.trial;
    const changes = changesInWords(details, model, unit).map((words) => html`<div>${words}</div>`);
    return html`<tr><td class="first">${variantLabel(model.plan, variant)}</td><td class="target">${targetName(model, target)}</td><td class="n">${repeat}</td><td class="n">${withinWords(details.steadiness)}</td><td>${steadyInWords(details.steadiness)}</td><td>${changes}</td></tr>`;
  });
  return rows.length === 0
    ? null
    : html`<div class="scroll"><table><thead><tr><th>Variant</th><th>Target</th><th class="n">Repeat</th><th class="n">${unit} within this trial</th><th>Steady state</th><th>Changes</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** What each method, each way of binding nulls where there are several, each kind of uuid as key, and each level of isolation really is on each engine. */
export function meanings(model: RunModel): Html | null {
  const used = new Map(
    model.plan.variants.map(({ settings }) => {
      const { operation, method, copyFrom = '' } = settings;
      return [`${operation} ${method}${copyFrom === '' ? '' : ` from ${copyFrom}`}`, settings] as const;
    }),
  );
  const nulls = new Set(model.plan.variants.map(({ settings: { nullBinding = 'asColumn' } }) => nullBinding));
  const isAllAsColumn = nulls.size === 1 && nulls.has('asColumn');
  const bindings = (isAllAsColumn ? [] : [...nulls]).flatMap((nullBinding) =>
    model.targets.flatMap(({ name: target, descriptor }) => {
      const means =
        nullBinding === 'asColumn' ? descriptor.nullsAsColumn : descriptor.nullBindings?.[nullBinding]?.means;
      return means ? [meaning(model, `nulls ${nullBinding}`, target, means)] : [];
    }),
  );
  const isolated = [...new Set(model.plan.variants.map(({ settings }) => settings.isolation ?? 'default'))].flatMap(
    (isolation) =>
      model.targets
        .filter(({ name: target }) => !isReference(model, target))
        .flatMap(({ name: target, descriptor }) => {
          const word = isolation === 'default' ? undefined : descriptor.isolations?.[isolation];
          return word === undefined ? [] : [meaning(model, `isolation ${isolation}`, target, word)];
        }),
  );
  const { dataset } = model.plan.experiment;
  const keys = [...new Set(model.plan.variants.map(({ settings }) => keyKindOf(dataset, settings) ?? ''))]
    .filter((kind) => kind.startsWith('uuid'))
    .flatMap((kind) =>
      model.targets
        .filter(({ name: target, descriptor }) => !isReference(model, target) && descriptor.uuids.means !== '')
        .map(({ name: target, descriptor: { uuids } }) =>
          meaning(
            model,
            `key ${kind}`,
            target,
            kind === 'uuidSequential' ? `${sequentialUuid[uuids.order]}; stored as ${uuids.means}` : uuids.means,
          ),
        ),
    );
  const rows = [...used].flatMap(([name, settings]) =>
    model.targets
      .filter(({ name: target }) => !isReference(model, target))
      .flatMap(({ name: target, descriptor }) => {
        const means = cellOf(descriptor, settings)?.means;
        return means === undefined ? [] : [meaning(model, name, target, means)];
      }),
  );
  return rows.length === 0
    ? null
    : html`<div class="scroll"><table><thead><tr><th>Method</th><th>Target</th><th>What it really is</th></tr></thead><tbody>${[...rows, ...bindings, ...keys, ...isolated]}</tbody></table></div>`;
}

const meaning = (model: RunModel, name: string, target: string, means: string): Html =>
  html`<tr><td class="first">${name}</td><td class="target">${targetName(model, target)}</td><td>${means}</td></tr>`;

export function environmentList({ environment, startedAt, endedAt, runId }: RunModel): Html {
  const versions = (record: Readonly<Record<string, string>>) =>
    Object.entries(record)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ');
  const facts: readonly (readonly [string, string])[] = [
    ['Machine', `${environment.cpu}, ${environment.cores} cores, ${formatBytes(environment.memoryBytes)}`],
    ['System', environment.os],
    ['Dyno', `${environment.app} (${versions(environment.runtime)})`],
    ['Drivers', versions(environment.drivers)],
    ['Run', `${runId}, ${startedAt}${endedAt === null ? '' : ` to ${endedAt}`}`],
  ];
  return html`<dl>${facts.filter(([, value]) => value !== '').map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

/** The tables of own statements; without any the dataset says it all. */
function tableFacts({ experiment }: RunModel['plan']): readonly (readonly [string, string])[] {
  const tables = Object.entries(experiment.tables ?? {});
  if (tables.length === 0) return [];
  const each = tables.map(([name, { rows }]) => `${name} ${formatCount(rows)}`);
  return [['Tables', `${rowsInWords(sizeOfTables(experiment))}: ${each.join(', ')}`]];
}

export function planList({ plan, trials, enough }: RunModel): Html {
  const { measure, experiment } = plan;
  const facts: readonly (readonly [string, string])[] = [
    [
      'Trials',
      measure.search
        ? `${trials.length}, which the search chose: at ${many(plan.variants.length, 'variant')} on ${many(plan.targets.length, 'target')}`
        : `${trials.length}: ${many(plan.variants.length, 'variant')} × ${many(plan.targets.length, 'target')} × repeats, less what was skipped`,
    ],
    ['Repeats', repeatsOfRun({ plan, enough })],
    ['A trial ends', untilWords(plan)],
    ['Warm-up', warmupWords(plan)],
    ...loadFacts(plan),
    ['Order', measure.order === 'interleaved' ? `interleaved, seed ${measure.seed}` : 'as written'],
    ['Dataset', `${formatCount(experiment.dataset.rows)} rows, seed ${experiment.dataset.seed}`],
    ...tableFacts(plan),
  ];
  return html`<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
<details><summary>Order of the trials</summary><pre>${trials
    .map(
      ({ trial, result, damage }) =>
        `${String(trial.number).padStart(4)}  ${variantLabel(plan, trial.variant)} on ${trial.target}, repeat ${trial.repeat}: ${result?.status ?? (damage === null ? 'not run' : 'damaged')}`,
    )
    .join('\n')}</pre></details>`;
}
