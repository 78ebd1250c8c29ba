import { optionsFor } from '#engine-api/support/engine-options.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { experimentOf } from '#experiment/schema/levels.ts';
import { sessionSettingsOf } from '#experiment/schema/session.ts';
import { outsideScenarios } from '#experiment/statements/outside-scenarios.ts';
import { mixFor, noMixText } from '#experiment/statements/statement-mix.ts';
import { allTables, withRowsAtMost } from '#model/dataset/tables.ts';
import { variedDataset } from '#model/dataset/varied-dataset.ts';
import { withUuidOrder } from '#model/dataset/with-uuid-order.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { ownerText } from '#model/production.ts';
import type { Options } from '#model/settings/options.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import type { TriedAs, TriedItem, TriedStatement, TryReport } from '#model/statements/statements.ts';
import { statementsIn } from '#model/statements/steps.ts';
import { experimentsOf, planOf } from '#planning/variant-of.ts';
import { ensureHome, type Home } from '#platform/paths.ts';
import { type LoadedTables, plansOf } from '#protocol/messages.ts';
import type { Plan, PlannedTarget, Variant } from '#protocol/plan.ts';
import { setsSessionText, writesText } from '#rules/cells/production-rules.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { markOf } from '#workspace/connections/production-hosts.ts';
import { findListFiles, findRowFiles } from '#workspace/library/list-files.ts';
import {
  markedAs,
  requireGenuine,
  requireTargetsConfirmed,
  type TrustedExperiment,
  type TrustedTarget,
} from '#workspace/trust/gate.ts';
import { type HeldTables, holdTables } from '../run/leftovers.ts';
import { openRowStore } from '../trial/row-store.ts';
import { runSetup, runTeardown, setupObjects } from '../trial/set-up.ts';
import { readLists } from '../trial/statement-lists.ts';
import { stagedTables } from '../trial/table-build.ts';
import { trialSeed } from '../trial/trial-seed.ts';
import type { Control } from '../worker/control.ts';
import { catalogEntry } from '../worker/targets.ts';
import { type Access, controlOf, leave, requirePasswordsOf } from './own-control.ts';
import { dropTables, loadedOf, makeTables } from './own-tables.ts';

interface TryOptions extends Access {
  readonly experiment: TrustedExperiment;
  /** Folder of CSV files with relative paths. Default: the home's experiments. */
  readonly folder?: string;
  /** Names of targets; absent: all targets. */
  readonly target?: string;
  /** Label or id of the variant to try; absent: the first variant that the run has on each target. */
  readonly variant?: string;
  /** The item to try; absent: all checks, transactions, and statements that are not steps of a transaction. */
  readonly items?: readonly TriedItem[];
  readonly onReport?: (report: TryReport) => void;
  /** Host names that confirm production connections. Default: none. */
  readonly confirmed?: readonly string[];
}

/** Enough rows to see the effect of a statement within a moment. */
const mostLoadedRows = 1_000;

/**
 * Runs custom statements and checks once on each target as a run does with one of its variants: with its method and
 * options, on tables created, indexed and analysed in the same way, with the values of the first trial. Changes are
 * undone. Tables have at most a thousand rows, and are dropped. Throws 'badInput' for mistakes and unknown names.
 */
export async function tryOnce(options: TryOptions): Promise<readonly TryReport[]> {
  requireGenuine(options.experiment);
  const { plan } = options.experiment;
  const variants = plan.variants.filter(({ settings }) => settings.operation === 'statement');
  // A level may add items that the file itself does not have.
  const experiments = [plan.experiment, ...experimentsOf({ ...plan, variants })];
  const [statements, transactions, checks] = (['statements', 'transactions', 'checks'] as const).map((part) =>
    Object.assign({}, ...experiments.map((one) => one[part])),
  ) as [
    NonNullable<Experiment['statements']>,
    NonNullable<Experiment['transactions']>,
    NonNullable<Experiment['checks']>,
  ];
  const own = [...Object.keys(statements), ...Object.keys(transactions)];
  if (variants.length === 0 || own.length === 0)
    throw new DynoError('badInput', 'The experiment has no statements of its own to try.', {
      hint: 'Write them under `statements`, with operation: statement in the workload.',
    });
  for (const { kind, name } of options.items ?? [])
    if (kind === 'check') choose(Object.keys(checks), name, 'check');
    else choose(own, name, 'statement or transaction');
  if (options.variant !== undefined)
    choose(
      variants.flatMap(({ id, label }) => [label, id]),
      options.variant,
      'variant of statements',
    );
  const steps = new Set(Object.values(transactions).flatMap((one) => statementsIn(one.steps)));
  const items = options.items ?? [
    ...own.filter((name) => !steps.has(name)).map((name) => ({ kind: 'statement', name }) as const),
    ...Object.keys(checks).map((name) => ({ kind: 'check', name }) as const),
  ];
  const names = choose(
    plan.targets.map(({ name }) => name),
    options.target,
    'target',
  );
  const targets = options.experiment.targets.filter(({ name }) => names.includes(name));
  requireTargetsConfirmed(options.home, targets, options.confirmed ?? []);
  for (const target of targets) refuseWrites(target, { ...plan, variants }, options.home);
  requirePasswordsOf(targets, options);
  ensureHome(options.home);
  const reports: TryReport[] = [];
  for (const target of targets) {
    const found = await tryOn(target, { plan, variants, items }, options);
    for (const report of found) options.onReport?.(report);
    reports.push(...found);
  }
  return reports;
}

/** Throws 'badInput' if a trial of statements would write over a read-only production connection. */
export function refuseWrites(
  target: TrustedTarget,
  { experiment, variants }: Pick<Plan, 'experiment' | 'variants'>,
  home: Home,
): void {
  const mark = markOf(markedAs(target), openConnectionStore(home).list().connections);
  if (!mark) return;
  const { production } = mark;
  const { descriptor } = catalogEntry(target.engine);
  for (const { levels, settings } of variants) {
    const own = experimentOf(experiment, levels);
    const why = writesText(production, target, descriptor, own, settings) ?? setsSessionText(own, target);
    if (why !== null) throw new DynoError('badInput', `${target.name}: ${ownerText(mark)}${why}`);
  }
}

function choose(known: readonly string[], wanted: string | undefined, what: string): readonly string[] {
  if (wanted === undefined) return known;
  if (known.includes(wanted)) return [wanted];
  throw new DynoError('badInput', `The experiment has no ${what} “${wanted}”.`, {
    hint: `It has: ${known.join(', ')}.`,
  });
}

interface Work {
  readonly plan: Plan;
  /** The variants whose operation is `statement`. */
  readonly variants: readonly Variant[];
  readonly items: readonly TriedItem[];
}

async function tryOn(target: TrustedTarget, work: Work, options: TryOptions): Promise<readonly TryReport[]> {
  const { plan, items } = work;
  const { control, tag } = controlOf(
    target,
    options,
    plan.targets.find(({ name }) => name === target.name),
  );
  const { planned } = control;
  const { descriptor } = control;
  const here = variantsOf(planned, work, options.variant);
  const variant = here.find(({ settings }) => descriptor.support.statement?.[settings.method]);
  const { experiment: whole } = planOf(plan, variant);
  const limited = withRowsAtMost(whole, mostLoadedRows);
  const as = variant && {
    variant: variant.label,
    others: Math.max(0, here.length - 1),
    smaller: smallerTables(whole, limited),
  };
  const report = (item: TriedItem, more: Partial<TryReport>): TryReport => ({
    target: planned.name,
    engine: planned.engine,
    item,
    as: as ?? null,
    statements: [],
    error: null,
    ...more,
  });
  if (!descriptor.statements || !variant) {
    const reason = descriptor.statements
      ? `${descriptor.label} has no ${work.variants.map(({ settings }) => settings.method).join(' or ')} for statement.`
      : `${descriptor.label} runs no statements of your own.`;
    return items.map((item) => report(item, { error: new DynoError('unsupported', reason).data }));
  }
  const engineOptions = optionsFor(descriptor, variant.settings);
  const { settings } = variant;
  const { order } = descriptor.uuids;
  const ordered = withUuidOrder(limited, order);
  const experiment = { ...ordered, dataset: variedDataset(ordered.dataset, settings, order) };
  const ofTry = `dyno_${tag}_try`;
  const folder = options.folder ?? options.home.experiments;
  using rows = openRowStore(options.home, tag, { folder, files: await findRowFiles(folder, [experiment]) });
  const reports: TryReport[] = [];
  let loaded: LoadedTables = {};
  let tables: LoadedTables = {};
  let held: HeldTables | null = null;
  try {
    const { place } = await control.connect(options.signal);
    // If this process is killed in between, the next run on this server drops the tables.
    held = holdTables(options.home, tag);
    held.note(place);
    await within(plan, options.signal, async (signal) => {
      const filled = await rows.prepared(control, experiment, 0, signal);
      const staged = stagedTables(filled, settings, ofTry, engineOptions, control.descriptor.id);
      loaded = loadedOf(staged);
      tables = { ...setupObjects(control, experiment, ofTry, engineOptions), ...loaded };
      await makeTables(control, staged, settings, { ...options, signal });
      await runSetup(control, experiment, ofTry, tables, engineOptions, signal);
      if (experiment.setup !== undefined)
        for (const { table } of Object.values(loaded)) await control.ask({ call: 'settle', table }, signal);
    });
    for (const item of items) {
      const { name } = item;
      if (!hasItem(experiment, item)) {
        const reason = `The variant “${variant.label}” has no ${item.kind} “${name}”.`;
        reports.push(report(item, { error: new DynoError('unsupported', reason).data }));
        continue;
      }
      const asked = item.kind === 'check' ? onlyCheck(experiment, name) : outsideScenarios(experiment, name);
      const cannot = noMixText(onlyItem(asked, name), descriptor, planned.name);
      if (cannot !== null) {
        reports.push(report(item, { error: new DynoError('unsupported', cannot).data }));
        continue;
      }
      options.onActivity(`Trying ${name} on ${planned.name}`);
      try {
        const trial = {
          control,
          experiment: asked,
          language: descriptor.statements,
          tables,
          settings,
          engineOptions,
          seed: firstSeed(plan, planned, variant),
        };
        const statements = await within(plan, options.signal, (signal) => tryItem(name, trial, { ...options, signal }));
        reports.push(report(item, { statements: item.kind === 'check' ? statements.map(asCheck) : statements }));
      } catch (thrown) {
        reports.push(report(item, { error: toErrorData(thrown) }));
        await control.reportError(toErrorData(thrown));
        await control.connect(options.signal);
      }
    }
    const [error] = await within(plan, options.signal, (signal) =>
      runTeardown(control, experiment, ofTry, tables, signal),
    );
    if (error) return reports.map((one) => ({ ...one, error: one.error ?? error }));
  } catch (thrown) {
    const error = toErrorData(thrown);
    reports.push(...items.slice(reports.length).map((item) => report(item, { error })));
  } finally {
    if (held) await dropTables(control, held, ofTry, loaded, options);
    await leave(control);
  }
  return reports;
}

/** Runs the work within the time limit of a trial, in which a run does more than this. */
async function within<T>(
  { measure: { timeoutSeconds } }: Plan,
  signal: AbortSignal,
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  const time = AbortSignal.timeout(timeoutSeconds * 1_000);
  try {
    return await work(AbortSignal.any([signal, time]));
  } catch (thrown) {
    if (!time.aborted || signal.aborted) throw thrown;
    throw new DynoError('timeout', `Not finished within ${timeoutSeconds} s (measure.timeoutSeconds).`, {
      hint: 'Let the statement do less, or raise the time limit: the trials of a run have the same.',
    });
  }
}

/** The variants that the run has on a target; all variants if it has none there. */
function variantsOf({ name }: PlannedTarget, { plan, variants }: Work, wanted?: string): readonly Variant[] {
  const planned = new Set(plan.trials.flatMap((trial) => (trial.target === name ? [trial.variant] : [])));
  const here = variants.filter(({ id }) => planned.has(id));
  const all = here.length > 0 ? here : variants;
  return all.toSorted((a, b) => Number(isCalled(b, wanted)) - Number(isCalled(a, wanted)));
}

const isCalled = ({ id, label }: Variant, wanted?: string): boolean => label === wanted || id === wanted;

/** The seed of the first trial of a variant, so that its first call has these values. */
const firstSeed = ({ trials, measure }: Plan, { name }: PlannedTarget, { id }: Variant): number =>
  trialSeed(measure, trials.find(({ target, variant }) => target === name && variant === id) ?? { number: 1 });

function smallerTables(full: Experiment, limited: Experiment): TriedAs['smaller'] {
  const tables = allTables(limited);
  return Object.entries(allTables(full)).flatMap(([table, { rows: rowsInRun }]) => {
    const { rows = rowsInRun } = tables[table] ?? {};
    return rows < rowsInRun ? [{ table, rows, rowsInRun }] : [];
  });
}

/** A check as a statement that must return no row. */
const onlyCheck = ({ checks = {}, ...experiment }: Experiment, name: string): Experiment => ({
  ...experiment,
  statements: { [name]: { text: checks[name]!.text, parameters: {}, weight: 1, expectRows: 0, isRead: true } },
  transactions: {},
  scenarios: {},
});

const asCheck = (tried: TriedStatement): TriedStatement =>
  tried.error?.kind === 'wrongResult'
    ? {
        ...tried,
        error: {
          ...tried.error,
          hint: 'A check finds no row where all is well; these are of the tables as they were loaded.',
        },
      }
    : tried;

/** A level may add an item that the variant of another level does not have. */
const hasItem = (
  { statements = {}, transactions = {}, checks = {} }: Experiment,
  { kind, name }: TriedItem,
): boolean =>
  kind === 'check' ? Object.hasOwn(checks, name) : Object.hasOwn(statements, name) || Object.hasOwn(transactions, name);

/** The experiment with this item only. */
function onlyItem(
  { statements = {}, transactions = {} }: Experiment,
  item: string,
): Pick<Experiment, 'statements' | 'transactions'> {
  const steps = transactions[item] ? statementsIn(transactions[item].steps) : [item];
  const own = Object.entries(statements).filter(([name]) => steps.includes(name));
  return {
    statements: Object.fromEntries(own.map(([name, one]) => [name, { ...one, weight: name === item ? 1 : 0 }])),
    transactions: transactions[item] ? { [item]: { ...transactions[item], weight: 1 } } : {},
  };
}

interface ItemContext {
  readonly control: Control;
  readonly experiment: Experiment;
  readonly language: StatementLanguage;
  readonly tables: LoadedTables;
  readonly settings: Settings;
  readonly engineOptions: Options;
  readonly seed: number;
}

async function tryItem(
  item: string,
  { control, experiment, language, tables, settings, engineOptions, seed }: ItemContext,
  { folder, home, signal }: TryOptions,
): Promise<readonly TriedStatement[]> {
  const choice = { target: control.planned.name, engine: control.planned.engine };
  const context = {
    control,
    experiment,
    choice,
    files: findListFiles(folder ?? home.experiments, [experiment], [item]),
    tables: plansOf(tables),
    options: engineOptions,
    isTry: true,
  };
  const lists = await readLists(context, [item], signal);
  return control.ask(
    {
      call: 'tryOnce',
      mix: mixFor(experiment, choice, language, new Map([[item, 1]]), lists),
      tables,
      settings,
      options: engineOptions,
      seed,
      declaredReads: declared(experiment.statements ?? {}),
      session: sessionSettingsOf(experiment, choice.engine),
    },
    signal,
  );
}

const declared = (statements: NonNullable<Experiment['statements']>): Readonly<Record<string, boolean>> =>
  Object.fromEntries(
    Object.entries(statements).flatMap(([name, { isRead }]) => (isRead === undefined ? [] : [[name, isRead]])),
  );
