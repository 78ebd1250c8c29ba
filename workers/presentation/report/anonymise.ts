import { findCaveats } from '#analysis/caveats/find-caveats.ts';
import type { CellPages, RunModel } from '#analysis/run-model/run-model.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { isolationTitle, trueIsolation } from '#engine-api/support/isolation.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import type { Prices } from '#experiment/schema/prices.ts';
import type { Published, PublishedValue } from '#experiment/schema/published.ts';
import type { ErrorData } from '#model/error.ts';
import type { Isolation } from '#model/settings/vocabulary.ts';
import type { CheckSpec } from '#model/statements/statements.ts';
import { literalPattern } from '#model/text/literal-pattern.ts';
import type { AnswersCompared } from '#planning/rates/answers-between.ts';
import type { TargetRecord } from '#protocol/journal.ts';
import type { CheckResult, MachineUse } from '#protocol/measurement.ts';
import type { AskedPlan } from '#protocol/query-plans.ts';
import { stepKindLabels } from '../tables/server/query-plan-table.ts';
import { hiddenAddress, hiddenTunnel } from './hide-hosts.ts';

/**
 * Removes the names of targets, engines, products and drivers from a run. Targets become A, B, C… in order. Data that
 * would reveal an engine (settings, counters, messages, the experiment file) is left out, and names in the user's texts
 * are replaced.
 */
export function anonymise(model: RunModel): RunModel {
  const letters = new Map(model.plan.targets.map(({ name }, i) => [name, `Target ${letterOf(i)}`]));
  const rename = (name: string) => letters.get(name) ?? 'Target ?';
  const hide = textHider(model, letters);
  const cellOf = <T extends { readonly target: string }>(cell: T): T => ({ ...cell, target: rename(cell.target) });
  const { experiment } = model.plan;
  const { baseline } = experiment;
  const programs = [
    ...new Set(model.trials.flatMap(({ result }) => (result?.machine?.others ?? []).map(({ name }) => name))),
  ];
  const facts = {
    ...model,
    runId: model.runId.slice(0, 15),
    yaml: '',
    files: model.files.map((one) => ({ ...one, file: hide(one.file) })),
    halted: model.halted && hide(model.halted),
    // The server's own names and reasons are in the texts about what is left there.
    sessionsLeft: model.sessionsLeft.map((left) => ({
      ...cellOf(left),
      held: left.held.map(() => 'The server holds them.'),
      parameters: left.parameters.map(() => `Dyno could not restore a parameter of ${rename(left.target)}.`),
    })),
    environment: {
      ...model.environment,
      drivers: {},
      runtime: Object.fromEntries(Object.entries(model.environment.runtime).filter(([name]) => hide(name) === name)),
    },
    plan: {
      ...model.plan,
      experiment: {
        ...experiment,
        name: hide(experiment.name),
        question: hide(experiment.question),
        ...(experiment.about !== undefined && { about: hide(experiment.about) }),
        ...(baseline && { baseline: hiddenLevels(baseline, hide, rename) }),
        // The differences of a gap are settings, some of which only one product has.
        explain: undefined,
        ...(experiment.statements && { statements: anonymousStatements(experiment.statements, rename) }),
        ...(experiment.rehearsal && { rehearsal: anonymousRehearsal(experiment.rehearsal) }),
        targets: model.plan.targets.map(({ name }) => rename(name)),
        ...(experiment.prices && { prices: anonymousPrices(experiment.prices, rename) }),
        ...(experiment.checks && { checks: anonymousChecks(experiment.checks, hide) }),
        factors: anonymousFactors(experiment.factors, hide),
        ...(experiment.published && {
          published: experiment.published.map((one) => anonymousPublished(one, hide, rename)),
        }),
      },
      variants: model.plan.variants.map(({ settings, ...variant }) => ({
        ...variant,
        label: hide(variant.label),
        levels: hiddenLevels(variant.levels, hide, rename),
        settings: settings.copyFrom ? { ...settings, copyFrom: rename(settings.copyFrom) } : settings,
      })),
      targets: model.plan.targets.map(({ name, index }, i) => ({ name: rename(name), engine: letterOf(i), index })),
      skipped: model.plan.skipped.map((cell) => ({ ...cellOf(cell), reason: cannot })),
      trials: model.plan.trials.map(cellOf),
    },
    targets: model.targets.map((target) => anonymousTarget(target, rename(target.name))),
    calibration: model.calibration.map((entry) =>
      entry.target === null
        ? {
            ...entry,
            label: hide(entry.label),
            ...(entry.storage && { storage: { ...entry.storage, targets: entry.storage.targets.map(rename) } }),
          }
        : { ...entry, target: rename(entry.target), label: `round trip, ${rename(entry.target)}` },
    ),
    trials: model.trials.map(
      ({ trial, phase, measuredFromMs, result, damage, queryPlans, laterPlans, series, loadHosts }) => ({
        trial: cellOf(trial),
        phase,
        measuredFromMs,
        result: result && {
          ...cellOf(result),
          error: anonymousError(result.error),
          probeDelta: {},
          // The names of waits tell the product.
          ...(result.waits && { waits: { totalMs: 0, kinds: 0, most: [] } }),
          ...(result.machine && { machine: anonymousMachine(result.machine, programs) }),
          ...(result.checks && { checks: result.checks.map((one) => anonymousFound(one, hide)) }),
          givenAnswers: [],
          sampledAnswers: [],
          ...(result.answers && { answers: result.answers.map((one) => anonymousAnswers(one, hide)) }),
          ...(result.builds && { builds: result.builds.map((one) => ({ ...one, part: hide(one.part) })) }),
          ...(result.tableLoads && {
            tableLoads: result.tableLoads.map((one) => ({ ...one, table: hide(one.table) })),
          }),
          ...(result.indexBytes && {
            indexBytes: result.indexBytes.map(({ index, bytes }) => ({ index: hide(index), bytes })),
          }),
          ...(result.pageUse && { pageUse: anonymousPages(result.pageUse, hide) }),
          ...(result.sessionSettings && { sessionSettings: {} }),
          ...(result.serverParameters && { serverParameters: {} }),
          verification: { ...result.verification, note: '' },
        },
        damage: damage && hide(damage),
        queryPlans: queryPlans.map((one) => anonymousQueryPlan(one, hide)),
        laterPlans: laterPlans.map((one) => anonymousQueryPlan(one, hide)),
        series: {
          ...{ ...series, probes: {}, gauges: {}, events: {}, probing: { atMs: [], tookMs: [] }, missing: [] },
          hosts: series.hosts.map((host) => ({ ...host, serverOf: host.serverOf.map(rename) })),
          unmeasuredServers: series.unmeasuredServers.map((one) => ({ ...one, target: rename(one.target) })),
        },
        loadHosts,
      }),
    ),
    enough:
      model.enough && 'precision' in model.enough
        ? {
            ...model.enough,
            precision: { ...model.enough.precision, cells: model.enough.precision.cells.map(cellOf) },
          }
        : model.enough,
    searches: model.searches.map((one) => ({
      ...cellOf(one),
      label: hide(one.label),
      error: anonymousError(one.error),
    })),
    cells: model.cells.map((cell) => ({
      ...cellOf(cell),
      firstError: anonymousError(cell.firstError),
      rowProblems: cell.rowProblems.map((problem) =>
        problem.kind === 'otherAnswers' ? { ...problem, compared: anonymousAnswers(problem.compared, hide) } : problem,
      ),
      sampledAnswers: cell.sampledAnswers.map((one) => anonymousAnswers(one, hide)),
      otherAnswers: cell.otherAnswers.map(({ other, ...compared }) => ({
        ...anonymousAnswers(compared, hide),
        other: cellOf(other),
      })),
      // The reasons name catalogs of the products.
      indexCosts: cell.indexCosts.map((cost) => ({ ...cost, index: hide(cost.index), why: null })),
      pageUse: cell.pageUse && { ...anonymousPages(cell.pageUse, hide), why: null },
      tableLoads: cell.tableLoads.map((one) => ({ ...one, table: hide(one.table) })),
      verification: cell.verification && { ...cell.verification, note: '' },
    })),
    // Its statements have the syntax of the product.
    advice: null,
    skipped: model.skipped.map((cell) => ({ ...cellOf(cell), reason: cannot })),
    damage: { ...model.damage, messages: model.damage.messages.map(hide) },
  };
  return { ...facts, caveats: findCaveats(facts) };
}

/** The reason of a skipped cell. The engine's own reason would reveal the engine. */
const cannot = 'this engine cannot';

/** The names of tables and columns in the parts. The reasons name what the products have. */
const anonymousPages = (
  { parts }: Pick<CellPages, 'parts'>,
  hide: (text: string) => string,
): Pick<CellPages, 'parts'> => ({
  parts: parts.map((one) => ({ ...one, part: hide(one.part) })),
});

/** Keeps the kind of each step and its number of rows. The server's texts and its unit of cost are left out. */
const anonymousQueryPlan = ({ statement, plan, reason }: AskedPlan, hide: (text: string) => string): AskedPlan => ({
  // Names of statements are the user's, in tables as well as here.
  statement,
  plan: plan && {
    command: '',
    executed: plan.executed,
    text: '',
    printed: null,
    steps: plan.steps.map((step) => ({
      ...step,
      operator: stepKindLabels[step.kind],
      table: step.table && hide(step.table),
      index: step.index && hide(step.index),
      cost: null,
      filter: null,
      details: [],
    })),
  },
  reason: reason && 'this engine gives none',
});

/** Reasons of refusals are messages of the server. */
const anonymousStatements = (
  statements: NonNullable<Experiment['statements']>,
  rename: (name: string) => string,
): NonNullable<Experiment['statements']> =>
  Object.fromEntries(
    Object.entries(statements).map(([name, { notOn, ...one }]) => [
      name,
      {
        ...one,
        ...(notOn && { notOn: Object.fromEntries(Object.keys(notOn).map((target) => [rename(target), cannot])) }),
      },
    ]),
  );

const anonymousRehearsal = ({
  margin,
  leftOut,
}: NonNullable<Experiment['rehearsal']>): NonNullable<Experiment['rehearsal']> => ({
  margin,
  // Texts of statements and messages of the server have the syntax of the product.
  leftOut: leftOut.map(({ timeShare }, i) => ({
    what: `Statement ${i + 1}`,
    why: 'It is not covered.',
    ...(timeShare !== undefined && { timeShare }),
  })),
});

type Checks = Readonly<Record<string, CheckSpec>>;

/** The name of a check without names of products, as a file could have it. */
const hiddenName = (name: string, hide: (text: string) => string): string => hide(name).replaceAll(' ', '-');

/** Checks and the rows that they return may contain the names of products. */
const anonymousChecks = (checks: Checks, hide: (text: string) => string) =>
  Object.fromEntries(
    Object.entries(checks).map(([name, check]) => [
      hiddenName(name, hide),
      { ...check, ...(check.about !== undefined && { about: hide(check.about) }) },
    ]),
  );

const anonymousPrices = ({ perHour, ...prices }: Prices, rename: (name: string) => string): Prices => ({
  ...prices,
  perHour: Object.fromEntries(Object.entries(perHour).map(([name, price]) => [rename(name), price])),
});

/** The names of factors and levels may contain the names of products, and levels may have checks of their own. */
const anonymousFactors = (factors: Experiment['factors'], hide: (text: string) => string): Experiment['factors'] =>
  Object.fromEntries(
    Object.entries(factors).map(([factor, levels]) => [
      hide(factor),
      Array.isArray(levels)
        ? levels.map((level) => hiddenLevel(level, hide))
        : Object.fromEntries(
            Object.entries(levels).map(([name, level]) => [
              hide(name),
              level.checks ? { ...level, checks: anonymousChecks(level.checks as Checks, hide) } : level,
            ]),
          ),
    ]),
  );

type Level = string | number | boolean;

const hiddenLevel = (level: Level, hide: (text: string) => string): Level =>
  typeof level === 'string' ? hide(level) : level;

/** The level of each factor, by the names that anonymousFactors gives them. `target` has the name of a target. */
const hiddenLevels = (
  levels: Readonly<Record<string, Level>>,
  hide: (text: string) => string,
  rename: (name: string) => string,
): Record<string, Level> =>
  Object.fromEntries(
    Object.entries(levels).map(([factor, level]) =>
      factor === 'target' ? [factor, rename(String(level))] : [hide(factor), hiddenLevel(level, hide)],
    ),
  );

const anonymousFound = ({ name, found }: CheckResult, hide: (text: string) => string): CheckResult => ({
  name: hiddenName(name, hide),
  found: found && { ...found, rows: found.rows.map((row) => row.map((value) => value && hide(value))) },
});

/** Rows, values and messages of servers may contain the names of products. */
const anonymousAnswers = <One extends Omit<AnswersCompared, 'baseline'>>(
  { why, difference, ...compared }: One,
  hide: (text: string) => string,
) => {
  const hidden = (row: readonly (string | null)[] | null) => row?.map((value) => value && hide(value)) ?? null;
  return {
    ...compared,
    ...(why !== undefined && {
      why: compared.outcome === 'notChecked' && !compared.isSampled ? 'the server refused it' : hide(why),
    }),
    ...(difference && {
      difference: {
        ...difference,
        parameters: difference.parameters.map(({ name, value }) => ({ name, value: value && hide(value) })),
        ...(difference.rows && {
          rows: {
            columns: difference.rows.columns.map(hide),
            pairs: difference.rows.pairs.map((pair) => ({ baseline: hidden(pair.baseline), own: hidden(pair.own) })),
          },
        }),
      },
    }),
  };
};

/** Other programs on the machine may be the servers, so they become numbers in order of appearance. */
const anonymousMachine = (use: MachineUse, programs: readonly string[]): MachineUse => ({
  ...use,
  others: use.others?.map((program) => ({ ...program, name: `program ${programs.indexOf(program.name) + 1}` })) ?? null,
});

/** Published figures may contain the names of the compared products. */
function anonymousPublished(
  { source, note, baseline, values, ...published }: Published,
  hide: (text: string) => string,
  rename: (name: string) => string,
): Published {
  const renamed = ({ levels, label, ...value }: PublishedValue): PublishedValue => ({
    ...value,
    ...(label !== undefined && { label: hide(label) }),
    ...(levels && { levels: hiddenLevels(levels, hide, rename) }),
  });
  return {
    ...published,
    source: hide(source),
    ...(note !== undefined && { note: hide(note) }),
    ...(baseline && { baseline: hiddenLevels(baseline, hide, rename) }),
    values: values.map(renamed),
  };
}

const letterOf = (index: number): string => (index < 26 ? String.fromCharCode(65 + index) : `${index + 1}`);

function anonymousTarget(target: TargetRecord, name: string): TargetRecord {
  const {
    support,
    unsupportedReasons,
    config,
    builtIn,
    driverPackage,
    notice,
    documents,
    isolations,
    nullBindings,
    nullsAsColumn,
    uuids,
    ...rest
  } = target.descriptor;
  const descriptor: EngineDescriptor = {
    ...rest,
    id: name,
    label: name,
    driver: '–',
    support: {},
    unsupportedReasons: {},
    config: [],
    builtIn: [],
    uuids: { ...uuids, implementation: '' },
    ...(nullBindings && { nullBindings: unsaid(nullBindings) }),
    ...(isolations && { isolations: unnamed(isolations) }),
    ...(documents !== undefined && { documents: 'its own type' }),
  };
  const { fingerprint } = target;
  return {
    name,
    engine: name,
    descriptor,
    address: hiddenAddress(target, () => '–'),
    details: hiddenTunnel(target.details),
    fingerprint: fingerprint && {
      product: name,
      version: '–',
      // The name of an emulator would reveal which product it emulates.
      emulator: fingerprint.emulator && 'An emulator',
      durability: {},
      memory: {},
      other: {},
      ...(fingerprint.pooler && { pooler: { ...fingerprint.pooler, name: 'A pooler' } }),
      unavailable: [],
    },
    probeInfo: {},
    error: anonymousError(target.error),
  };
}

type Forms = NonNullable<EngineDescriptor['nullBindings']>;

/** The methods that declare nulls in this form, without texts of the engine. */
const unsaid = (forms: Forms): Forms =>
  Object.fromEntries(Object.entries(forms).map(([binding, form]) => [binding, { ...form, implementation: '' }]));

type Levels = NonNullable<EngineDescriptor['isolations']>;

/** The actual isolation levels, without texts of the server. */
const unnamed = (isolations: Levels): Levels =>
  Object.fromEntries(
    (Object.keys(isolations) as Isolation[]).map((level) => [
      level,
      isolationTitle(trueIsolation({ isolations }, level)),
    ]),
  );

const anonymousError = (error: ErrorData | null): ErrorData | null =>
  error && {
    kind: error.kind,
    code: null,
    message: `Error of kind “${error.kind}”.`,
    hint: null,
    retryable: error.retryable,
  };

/** Replaces every name that identifies a target, the longest first and in any case. */
function textHider({ plan, targets }: RunModel, letters: ReadonlyMap<string, string>): (text: string) => string {
  const names = new Map<string, string>();
  for (const { name, engine } of plan.targets) {
    const letter = letters.get(name)!;
    const record = targets.find((target) => target.name === name);
    for (const word of [name, engine, record?.descriptor.label, record?.fingerprint?.product])
      if (word !== undefined && word !== '') names.set(word.toLowerCase(), letter);
  }
  const words = [...names.keys()].sort((a, b) => b.length - a.length).map(literalPattern);
  const pattern = new RegExp(words.join('|'), 'gi');
  return (text) => (words.length === 0 ? text : text.replace(pattern, (word) => names.get(word.toLowerCase())!));
}
