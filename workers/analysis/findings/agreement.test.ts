import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baselineOf } from '#planning/rates/baseline.ts';
import { ratesByCell } from '#planning/rates/rates-by-cell.ts';
import { outline } from '#presentation/outline/outline.ts';
import { clientTimeTable } from '#presentation/tables/client/client-time-table.ts';
import { machineTable } from '#presentation/tables/client/machine-table.ts';
import { rowsExaminedTable } from '#presentation/tables/server/rows-examined-table.ts';
import { serverTimeTable } from '#presentation/tables/server/server-time-table.ts';
import { cellTexts, type PanelTable } from '#presentation/tables/shared/panel-table.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Cell } from '#protocol/plan.ts';
import { compareMeans } from '#stats/intervals/compare-means.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { anyRuns } from './any-runs.fixture.ts';
import { type Findings, findFindings } from './find-findings.ts';
import { rules } from './registry.ts';
import { runFacts } from './shared/facts.ts';
import type { Shown } from './shared/finding.ts';

/** These rules report how much a rate changes or scatters. The value has no upper bound, unlike a share of a whole. */
const ofChange: readonly string[] = ['notSteady', 'highVariability', 'decaysWithSize', 'checkpointDips'];

function mistakesInWords(id: string, text: string): readonly string[] {
  const numbers = [...text.matchAll(/(\d[\d,]*\.?\d*)[\s\u00a0\u202f]%/g)].map(([, one]) =>
    Number(one!.replaceAll(',', '')),
  );
  return [
    ...(/NaN|Infinity|undefined|^The rule .* failed/.test(text) ? [`no number, ${id}: ${text}`] : []),
    ...(ofChange.includes(id) ? [] : numbers.flatMap((one) => (one > 100 ? [`${one} %, ${id}: ${text}`] : []))),
  ];
}

/** The errors in the numbers of one finding. */
function mistakesOf(model: RunModel, id: string, { claim, evidence, explains }: Shown): readonly string[] {
  const rates = [...ratesByCell(model.trials).values()];
  const ratios = rates.flatMap((a) => rates.flatMap((b) => compareMeans(a, b)?.ratio.value ?? []));
  const cells = model.cells.flatMap(({ rowsPerSecond, callsPerSecond }) => [
    rowsPerSecond?.value,
    callsPerSecond?.value,
  ]);
  const isOneOf = (all: readonly (number | undefined)[], value: number) =>
    all.some((one) => one !== undefined && Math.abs(one - value) <= 1e-9 * Math.abs(value));
  return [
    ...(explains >= 0 && explains <= 1 ? [] : [`explains ${explains}, ${id}: ${claim}`]),
    ...evidence.flatMap(({ label, value, unit, text, link }) => {
      const where = `${id}, ${label} ${text}: ${claim}`;
      if (!Number.isFinite(value) || mistakesInWords(id, text).length > 0) return [`no number, ${where}`];
      if (unit === 'share' && !ofChange.includes(id) && !(value >= 0 && value <= 1)) return [`no share, ${where}`];
      if (['ms', 'bytes', ''].includes(unit) && value < 0) return [`negative, ${where}`];
      if (link === null) return [];
      if (!outline.find((panel) => panel.id === link.panel)?.when(model, baselineOf(model)))
        return [`leads to “${link.panel}”, which the report does not have, ${where}`];
      if (link.panel !== 'results') return [];
      // The table of results has these numbers.
      if (unit === 'ratio' && !isOneOf(ratios, value)) return [`no comparison, ${where}`];
      if (unit.endsWith('/s') && !isOneOf(cells, value)) return [`not in the table, ${where}`];
      return [];
    }),
  ];
}

/** The texts of a cell's rows in a table, by its columns. */
function rowsOf(
  model: RunModel,
  { columns, rows }: PanelTable,
  cell: Cell,
): readonly Readonly<Record<string, string>>[] {
  const [variant, target] = cellTexts(model, cell);
  return rows.flatMap(({ cells }) => {
    const texts = cells.map((one) => (typeof one === 'string' ? one : String(one.text)));
    return texts[0] === variant && texts[1] === target
      ? [Object.fromEntries(columns.map(({ title }, i) => [title, texts[i]!]))]
      : [];
  });
}

/** The table and column of the same report that show a number of a finding. */
const inTables: Readonly<Record<string, readonly [(model: RunModel) => PanelTable, string]>> = {
  'Rows read for a call': [rowsExaminedTable, 'read per call'],
  'Pages read for a call': [rowsExaminedTable, 'read per call'],
  'Plans made per execution': [serverTimeTable, 'Plans made per execution'],
  'Log, of the server’s own time': [serverTimeTable, 'Server’s own time'],
  'Server’s own time in locks of rows or tables': [serverTimeTable, 'Server’s own time'],
  'Server’s own time in latches of the server’s own structures': [serverTimeTable, 'Server’s own time'],
  'Written to temporary files by a call': [serverTimeTable, 'Temporary files per call'],
  'Data generation': [clientTimeTable, 'data generation'],
  'Encoding requests in the driver': [clientTimeTable, 'encoding'],
  'Decoding answers in the driver': [clientTimeTable, 'decoding'],
  'Cheapest round trip': [clientTimeTable, 'cheapest statement'],
  'Part of it on the network, at most': [clientTimeTable, 'of it network'],
  'Processors busy': [machineTable, 'Processors busy'],
  'Some process waited for a processor': [machineTable, 'Any process waited'],
  'Given to others by the hypervisor': [machineTable, 'Steal'],
  'Kept from Dyno by its control group’s limit': [machineTable, 'Throttled'],
};

/** Numbers of a finding that differ from a table of the same report. */
function contradictionsOfTables(model: RunModel, id: string, { cell, claim, evidence }: Shown): readonly string[] {
  if (cell === null) return [];
  const summary = model.cells.find((one) => keyOf(one) === keyOf(cell));
  const percentiles = [summary?.latencyMs.p50, summary?.latencyMs.p99];
  return evidence.flatMap(({ label, text, value }) => {
    const where = `${id}, ${label} ${text}: ${claim}`;
    if (['p99 of a call', 'Median of a call', 'Median latency'].includes(label) && !percentiles.includes(value))
      return [`another latency in the table, ${where}`];
    const [table, column] = inTables[label] ?? [];
    // A list of shares omits zeros.
    if (table === undefined || column === undefined || value === 0) return [];
    const rows = rowsOf(model, table(model), cell);
    // The machine's table has a row for each trial, and a claim about several trials uses their mean.
    if (rows.length !== 1) return table === machineTable ? [] : [`no row in the table, ${where}`];
    return (rows[0]?.[column] ?? '').includes(text) ? [] : [`${rows[0]?.[column] ?? 'nothing'} in the table, ${where}`];
  });
}

/** The part of the time of a cell's only connection that its finding claims; `calls`: the time of each call, ms. */
const partOfConnection = (id: string, one: Shown, callsPerMs: number): number => {
  const of = (label: string) => evidenceOf(one, label) ?? 0;
  switch (id) {
    case 'clientSaturated':
      return of('Client processes busy');
    case 'roundTripBound':
      return of('Share of a call in round trips') * of('A call') * callsPerMs;
    default:
      return 0;
  }
};

const evidenceOf = (one: Shown | undefined, label: string): number | undefined =>
  one?.evidence.find((evidence) => evidence.label === label)?.value;

/** Times are estimated from samples, so the sum of the parts may exceed the whole by this much. */
const rounding = 1.2;

/** Pairs of findings about one cell that contradict each other. */
function contradictionsOf(model: RunModel, { shown, unshown }: Findings): readonly string[] {
  const claims = shown.flatMap(({ rule, lead, also }) => [lead, ...also].map((one) => ({ rule, id: rule.id, one })));
  const reasons = [
    ...unshown.flatMap(({ rule, outcomes }) => outcomes.map((one) => ({ rule, one }))),
    ...shown.flatMap(({ rule, unshown: outcomes }) => outcomes.map((one) => ({ rule, one }))),
  ];
  return model.cells.flatMap((cell) => {
    const isOwn = ({ one }: { readonly one: { readonly cell: Cell | null } }) =>
      one.cell !== null && keyOf(one.cell) === keyOf(cell);
    const own = claims.filter(isOwn);
    const of = (id: string) => own.find((claim) => claim.id === id)?.one;
    const settings = model.plan.variants.find(({ id }) => id === cell.variant)!.settings;
    const results = model.trials.flatMap(({ trial, result }) => (keyOf(trial) === keyOf(cell) ? (result ?? []) : []));
    const total = (sum: (result: TrialResult) => number) => results.reduce((all, result) => all + sum(result), 0);
    const callsPerMs = total(({ totals }) => totals.calls) / total(({ elapsedMs }) => elapsedMs);
    const ofConnection = own.reduce((all, { id, one }) => all + partOfConnection(id, one, callsPerMs), 0);
    const add = (all: Iterable<number>) => [...all].reduce((sum, one) => sum + one, 0);
    // Parts of the server's own time, by label.
    const ofServer = new Map(
      own
        .flatMap(({ one }) => one.evidence.filter(({ label }) => /server’s own time/i.test(label)))
        .map(({ label, value }) => [label, value]),
    );
    // The time of each statement, by name.
    const ofStatements = new Map(
      own.flatMap(({ one }) => {
        const value = evidenceOf(one, 'Share of the connections’ time');
        const name = /“([^”]+)”(?: reads| is | \d|, each|$)|runs “([^”]+)”|for each “([^”]+)”/.exec(one.claim);
        return value === undefined || name === null ? [] : [[name[1] ?? name[2] ?? name[3]!, value] as const];
      }),
    );
    const machine = of('machineStarved');
    const words = [...own.map(({ one }) => one.claim), ...own.map(({ one }) => one.advice)];
    const [tripBound, fetches] = [of('roundTripBound'), of('fetchSizeTooSmall')];
    const [trips, moreTrips] = [
      evidenceOf(tripBound, 'Share of a call in round trips'),
      evidenceOf(fetches, 'Round trips after the first'),
    ];
    const [busy, generated] = [
      evidenceOf(of('clientSaturated'), 'Client processes busy'),
      evidenceOf(of('generationBound'), 'Data generation'),
    ];
    const ofMachine =
      (evidenceOf(machine, 'Processors busy') ?? 0) + (evidenceOf(machine, 'Given to others by the hypervisor') ?? 0);
    const referred = [...words, ...reasons.filter(isOwn).map(({ one }) => one.why)].flatMap((text) =>
      [...text.matchAll(/\(see “([^”]+)”\)/g)].map(([, title]) => title!),
    );
    const claimed = own.map(({ one }) => one.claim).join(' | ');
    return [
      ...(settings.connections === 1 && ofConnection > rounding
        ? [`parts of one connection’s time are ${ofConnection}: ${claimed}`]
        : []),
      ...(add(ofServer.values()) > 1.001
        ? [`parts of the server’s own time are ${add(ofServer.values())}: ${claimed}`]
        : []),
      ...(add(ofStatements.values()) > rounding
        ? [`parts of the connections’ time are ${add(ofStatements.values())}: ${claimed}`]
        : []),
      ...(ofMachine > 1.02 ? [`parts of the processors’ time are ${ofMachine}: ${claimed}`] : []),
      ...(trips !== undefined && moreTrips !== undefined && moreTrips > trips + 1e-9
        ? [`${moreTrips} of a call in some of the round trips that take ${trips}: ${claimed}`]
        : []),
      ...(trips !== undefined && trips + (of('hardParsing')?.explains ?? 0) > 1 + 1e-9
        ? [`${trips} of a call in round trips, and ${of('hardParsing')!.explains} of it in parsing: ${claimed}`]
        : []),
      ...(busy !== undefined && generated !== undefined && generated > busy * rounding
        ? [`${generated} of the time in generation, and ${busy} busy: ${claimed}`]
        : []),
      ...(of('fullScan') && of('indexNotUsed') && columnOf(of('fullScan')!) === columnOf(of('indexNotUsed')!)
        ? [`an index that does not exist is not used: ${claimed}`]
        : []),
      ...referred
        .filter((title) => !own.some(({ rule }) => rule.title === title))
        .map((title) => `“${title}” is referred to and not shown: ${claimed}`),
      ...reasons
        .filter(isOwn)
        .filter(({ one }) => one.why.includes('the machine was short of processors') && machine === undefined)
        .map(({ rule, one }) => `${rule.id} says what no finding does: ${one.why}`),
    ];
  });
}

/** The first column that a claim about an index names. */
const columnOf = ({ claim }: Shown): string | undefined =>
  /no index begins with the columns? (\w+)|beside an index on (\w+)/.exec(claim)?.slice(1).find(Boolean);

/** All errors in the findings of a run; empty in a correct report. */
function defectsOf(model: RunModel, found: Findings): readonly string[] {
  const unshown = [...found.unshown, ...found.shown.map(({ rule, unshown: outcomes }) => ({ rule, outcomes }))];
  return [
    ...unshown.flatMap(({ rule: { id }, outcomes }) => outcomes.flatMap(({ why }) => mistakesInWords(id, why))),
    ...found.shown.flatMap(({ rule: { id }, lead, also }) =>
      [lead, ...also].flatMap((one) => [
        ...mistakesInWords(id, one.claim),
        ...mistakesOf(model, id, one),
        ...contradictionsOfTables(model, id, one),
      ]),
    ),
    ...contradictionsOf(model, found),
  ];
}

describe('the rules', () => {
  const fired = new Map<string, number>();

  it.each(Object.entries(anyRuns))(
    'claim nothing of any numbers that contradicts itself, the report, or another finding: %s',
    (_, { runs, count }) => {
      fc.assert(
        fc.property(runs as fc.Arbitrary<RunModel>, (model) => {
          const found = findFindings(runFacts(model), rules);
          for (const { rule } of found.shown) fired.set(rule.id, (fired.get(rule.id) ?? 0) + 1);
          expect(defectsOf(model, found)).toEqual([]);
        }),
        { numRuns: count, seed: 5, endOnFailure: true },
      );
    },
    300_000,
  );

  it('are all provoked by some of these runs: one that is not would not be tested here', () => {
    expect(rules.map(({ id }) => id).filter((id) => !fired.has(id))).toEqual([]);
  });
});
