import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { notColdText } from '#engine-api/support/cold-cache.ts';
import { optionProblem } from '#engine-api/support/engine-options.ts';
import { trueKeyKind } from '#engine-api/support/key-kind.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { experimentOf } from '#experiment/schema/levels.ts';
import { noMixText } from '#experiment/statements/statement-mix.ts';
import type { KnownConnection } from '#model/connections.ts';
import { allTables } from '#model/dataset/tables.ts';
import { formatCount } from '#model/format/format.ts';
import type { Options, OptionValue } from '#model/settings/options.ts';
import { type Diagnostic, inOrder, type Problem } from '#model/text/diagnostic.ts';
import { EndOfCheck, firstProblems } from '#model/text/first-problems.ts';
import type { Cell, Plan, PlannedTarget, PlannedTrial, SkippedCell, Variant } from '#protocol/plan.ts';
import { differingTitles, effectiveSettings, impossibleText } from '#rules/cells/cell-support.ts';
import { noSourceText, sourceProblems } from '#rules/cells/copy-source.ts';
import { indexTextProblems } from '#rules/cells/index-rules.ts';
import { loadProblems, noStagesText } from '#rules/cells/load-rules.ts';
import { notFromProductionText, notOnProductionText } from '#rules/cells/production-rules.ts';
import { noSearchText, searchProblems } from '#rules/cells/search-support.ts';
import { changesServer, noServerOfSourceText, noServerText, serverProblems } from '#rules/cells/server-rules.ts';
import { noSessionText, sessionProblems } from '#rules/cells/session-rules.ts';
import { problemsInAll } from '#rules/file/change-rules.ts';
import { isOption } from '#rules/file/factor-rules.ts';
import { notCallByCallText } from '#rules/file/measure-rules.ts';
import { type ParsedFile, statementsAlone } from '#rules/parsed-file.ts';
import { lookUpProblems } from '#rules/statements/look-up-problems.ts';
import { noSetupText, setupProblems } from '#rules/statements/setup-problems.ts';
import { statementProblems } from '#rules/statements/statement-problems.ts';
import { type FindMark, resolveTargets, type TargetWithEngine } from '#rules/targets/plan-targets.ts';
import { builtInOf } from '#rules/targets/target-fields.ts';
import { shuffled } from '#stats/random/shuffle.ts';
import { expandVariants } from './expand-variants.ts';
import { plannedMeasure } from './planned-measure.ts';
import { repeatsOf } from './repeats.ts';
import { sharedLoads } from './shared-loads.ts';
import { experimentsOf } from './variant-of.ts';
import { workOf } from './work-of.ts';

/** Everything that a plan depends on besides the file. */
export interface PlanContext {
  readonly catalog: readonly EngineDescriptor[];
  /** The connections that the file may name. Default: none. */
  readonly connections?: readonly KnownConnection[];
  readonly findMark?: FindMark;
  /** Finds the problems that this machine's engines and files have with an experiment. Default: none. */
  readonly findMore?: (experiment: Experiment, plan: Plan | null) => readonly Problem[];
}

/** The plan of an experiment file, and all problems of both. */
export interface PlannedFile {
  /** Null where `diagnostics` holds an error. */
  readonly plan: Plan | null;
  /** The problems in the order of the file. */
  readonly diagnostics: readonly Diagnostic[];
}

/** More trials than anyone would run; the limit keeps a typing error from filling the memory. */
const maxTrials = 100_000;
const maxCells = 20_000;
/** A cell takes longer to judge where there are many columns. */
const maxCellColumns = 500_000;

/**
 * Decides everything about a run before it starts: variants, the engine of each target, unsupported cells, the order of
 * the trials. Pure: the same file and context give the same plan.
 */
export function planExperiment(file: ParsedFile, context: PlanContext): PlannedFile {
  const { experiment, diagnostics, locate } = file;
  if (!experiment) {
    // The statements are checked, too, if all errors are elsewhere, so that all mistakes are shown at once.
    const statements = statementsAlone(file);
    const problems = statements ? problemsOfStatements(statements, context) : [];
    return { plan: null, diagnostics: inOrder([...diagnostics, ...problems.map(locate)]) };
  }
  const { plan, problems } = makePlan(experiment, context);
  const further = context.findMore?.(experiment, plan) ?? [];
  return {
    plan: further.some(isError) ? null : plan,
    diagnostics: inOrder([...diagnostics, ...[...problems, ...further].map(locate)]),
  };
}

function problemsOfStatements(
  experiment: Experiment,
  { catalog, connections = [], findMark }: PlanContext,
): readonly Problem[] {
  const targets = resolveTargets(experiment, catalog, () => {}, connections, findMark);
  return firstProblems((report) => statementProblems(experiment, targets).forEach(report));
}

function makePlan(
  experiment: Experiment,
  { catalog, connections = [], findMark }: PlanContext,
): { readonly plan: Plan | null; readonly problems: readonly Problem[] } {
  const variants = expandVariants(experiment);
  const measure = plannedMeasure(experiment, variants);
  const targets: TargetWithEngine[] = [];
  const cells: Cell[] = [];
  const skipped: SkippedCell[] = [];
  const problems = firstProblems((report) => {
    let failed = false;
    const add = (problem: Problem) => {
      failed ||= isError(problem);
      report(problem);
    };
    targets.push(...resolveTargets(experiment, catalog, add, connections, findMark));
    refuseMany(
      variants.length * targets.length,
      'cells, which are variants on targets',
      mostCells(experiment, variants),
      add,
    );
    for (const find of [
      () => optionProblems(experiment, catalog),
      () => problemsInAll(experiment, (one) => sessionProblems(one, catalog)),
      () => problemsInAll(experiment, (one) => indexTextProblems(one, catalog)),
      () => problemsInAll(experiment, (one) => serverProblems(one, catalog)),
      () => problemsInAll(experiment, (one) => statementProblems(one, targets)),
      () => problemsInAll(experiment, (one) => setupProblems(one, targets)),
      () => problemsInAll(experiment, (one) => lookUpProblems(one, targets)),
      () => problemsInAll(experiment, (one) => loadProblems(one, variants)),
      () => sourceProblems(variants, targets),
      () => searchProblems(experiment, variants),
    ])
      for (const problem of find()) add(problem);
    const judged = targets.map((resolved) => judgeCells(variants, resolved, targets, { experiment, measure }));
    cells.push(...judged.flatMap((one) => one.cells));
    skipped.push(...judged.flatMap((one) => one.skipped));
    if (!failed) for (const problem of emptyProblems(judged, targets)) add(problem);
    refuseMany(cells.length * repeatsOf(measure).max, 'trials', maxTrials, add);
  });
  if (problems.some(isError)) return { plan: null, problems };
  const trials = orderTrials(cells, measure);
  const planned = targets.map((one) => {
    const run = new Set(cells.flatMap(({ target, variant }) => (target === one.target.name ? [variant] : [])));
    const own = variants.filter(({ id }) => run.has(id));
    return plannedTarget(one, experiment, sharedLoads(experiment, own, one.engine, one.target.name));
  });
  return { plan: { experiment, variants, targets: planned, skipped, trials, measure }, problems };
}

function mostCells(experiment: Experiment, variants: readonly Variant[]): number {
  const widths = experimentsOf({ experiment, variants }).map((one) =>
    Object.values(allTables(one)).reduce((sum, table) => sum + Object.keys(table.columns).length, 0),
  );
  const columns = Math.max(...widths);
  return Math.min(maxCells, Math.floor(maxCellColumns / Math.max(1, columns)));
}

function refuseMany(found: number, what: string, most: number, report: (problem: Problem) => void): void {
  if (found <= most) return;
  report({
    path: ['factors'],
    at: 'key',
    message: `This experiment has ${formatCount(found)} ${what}; ${formatCount(most)} are the most.`,
    suggestion: 'Fewer levels, targets or repeats.',
  });
  throw new EndOfCheck();
}

const plannedTarget = (
  resolved: TargetWithEngine,
  experiment: Experiment,
  shared: ReturnType<typeof sharedLoads>,
): PlannedTarget => ({
  ...resolved.target,
  ...(shared.length > 0 && { sharedLoads: shared }),
  ...(builtInOf(experiment.targets[resolved.position]!, resolved.engine)?.restartEmptiesCache && {
    restartEmptiesCache: true,
  }),
  ...(changesServer(resolved, experiment) && { changesServer: true }),
});

const isError = ({ severity }: Problem): boolean => severity === undefined;

interface Judged {
  readonly cells: readonly Cell[];
  readonly skipped: readonly SkippedCell[];
}

/**
 * Splits the variants of one target into those that run, and those that cannot run or would measure the same thing
 * again.
 */
function judgeCells(
  variants: readonly Variant[],
  resolved: TargetWithEngine,
  targets: readonly TargetWithEngine[],
  { experiment, measure }: Pick<Plan, 'experiment' | 'measure'>,
): Judged {
  const { target, engine } = resolved;
  const builtInAt = (one: TargetWithEngine) => builtInOf(experiment.targets[one.position]!, one.engine);
  const builtIn = builtInAt(resolved);
  const neighbours = targets.flatMap((one) =>
    one.target !== target && builtIn !== null && builtInAt(one)?.target === builtIn.target ? [one.target.name] : [],
  );
  // Texts of statements are long, and alike for variants whose levels change no section.
  const mixProblems = new Map(
    experimentsOf({ experiment, variants }).map((one) => [one, noMixText(one, engine, target.name)]),
  );
  const cells: Cell[] = [];
  const skipped: SkippedCell[] = [];
  const firstWith = new Map<string, Variant>();
  for (const variant of variants) {
    const cell = { variant: variant.id, target: target.name };
    const own = experimentOf(experiment, variant.levels);
    const dataset = { ...own.dataset, tables: own.tables };
    const impossible =
      impossibleText(engine, variant.settings, dataset) ??
      noSessionText(own, engine) ??
      noServerText(resolved, own) ??
      noServerOfSourceText(variant, targets, own) ??
      noSetupText(own, engine, target.name) ??
      notOnProductionText(resolved, own, variant.settings) ??
      notFromProductionText(variant, targets, own) ??
      noSourceText(variant.settings, targets, dataset) ??
      noSearchText(own, variant.settings) ??
      notColdText(engine, builtIn, neighbours, variant.settings) ??
      notCallByCallText(measure, variant.settings) ??
      (variant.settings.operation === 'statement' ? mixProblems.get(own) : null) ??
      (measure.stages ? noStagesText(engine, variant.settings) : null);
    const effective = JSON.stringify([
      effectiveSettings(engine, variant.settings, dataset, measure),
      own === experiment ? null : workOf(own, variant.settings, { target: target.name, engine: engine.id }),
    ]);
    const twin = firstWith.get(effective);
    if (impossible !== null) skipped.push({ ...cell, reason: impossible });
    else if (twin)
      skipped.push({ ...cell, reason: sameAs(twin, variant, engine, own === experiment), sameAs: twin.id });
    else {
      firstWith.set(effective, variant);
      cells.push(cell);
    }
  }
  return { cells, skipped };
}

function sameAs(twin: Variant, variant: Variant, engine: EngineDescriptor, isPlain: boolean): string {
  const { isolation, keyKind } = variant.settings;
  // Cells with different kinds of keys measure the same thing only without a key, or with UUIDs of the same kind.
  const isSameUuid =
    keyKind !== twin.settings.keyKind && trueKeyKind(engine, keyKind) === trueKeyKind(engine, twin.settings.keyKind);
  const own = isSameUuid ? { isolation, keyKind } : { isolation };
  const titles = differingTitles({ ...twin.settings, ...own }, variant.settings);
  const why = [
    ...(titles.length === 0 ? [] : [`${titles.join(' and ')} ${titles.length === 1 ? 'does' : 'do'} not matter there`]),
    ...(isSameUuid ? ['a sequential uuid is a uuid7, as uuids are compared from their first byte'] : []),
    ...(isolation === twin.settings.isolation ? [] : [`isolation is ${engine.isolations?.[isolation]} either way`]),
  ];
  const equal = isPlain ? 'the settings are equal' : 'the tables, texts and settings that it uses are equal';
  return `Same as “${twin.label}” on ${engine.label}: ${why.join(', and ') || equal}.`;
}

/** Options that no engine has, or with invalid values, with their paths. */
function* optionProblems({ workload, factors }: Experiment, catalog: readonly EngineDescriptor[]): Iterable<Problem> {
  const written: { path: Problem['path']; name: string; value: OptionValue | null }[] = [];
  const inBundle = (bundle: { readonly options?: Options | undefined }, path: Problem['path']) => {
    for (const [name, value] of Object.entries(bundle.options ?? {}))
      written.push({ path: [...path, 'options', name], name, value });
  };
  inBundle(workload, ['workload']);
  for (const [name, factor] of Object.entries(factors)) {
    if (!Array.isArray(factor))
      for (const [level, bundle] of Object.entries(factor)) inBundle(bundle, ['factors', name, level]);
    else if (isOption(name))
      for (const [index, value] of factor.entries()) written.push({ path: ['factors', name, index], name, value });
  }
  for (const { path, name, value } of written) {
    const problem = optionProblem(name, value, catalog);
    if (problem) yield { path, ...problem };
  }
}

/** Targets (or a whole experiment) without any cell to run. */
function emptyProblems(judged: readonly Judged[], targets: readonly TargetWithEngine[]): readonly Problem[] {
  const empty = targets.filter((_, index) => judged[index]?.cells.length === 0);
  return empty.map(({ target, position }) => ({
    ...(empty.length < targets.length && { severity: 'warning' as const }),
    path: ['targets', position],
    message: `No variant can run on \`${target.name}\`.`,
    suggestion: judged[targets.findIndex((one) => one.target === target)]?.skipped[0]?.reason ?? null,
  }));
}

/**
 * The order of all trials; for a search, which chooses among them later, only their numbers. Interleaved: each round
 * holds every cell once, in a new random order, so that drift of the machine affects all cells alike; as written: the
 * same rounds in the order of the file.
 */
function orderTrials(cells: readonly Cell[], measure: Plan['measure']): readonly PlannedTrial[] {
  const rounds = Array.from({ length: repeatsOf(measure).max }, (_, index) => index + 1);
  return rounds
    .flatMap((repeat) => {
      const round = measure.order === 'declared' ? cells : shuffled(cells, measure.seed, repeat);
      return round.map((cell) => ({ ...cell, repeat }));
    })
    .map((trial, index) => ({ ...trial, number: index + 1 }));
}
