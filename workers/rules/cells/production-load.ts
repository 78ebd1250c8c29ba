import type { Experiment } from '#experiment/schema/experiment.ts';
import { weightsOf } from '#experiment/statements/statement-mix.ts';
import { formatCount, formatUpTo } from '#model/format/format.ts';
import type { limitsOf } from '#model/production.ts';
import type { Settings } from '#model/settings/settings.ts';
import { loadModel } from '#model/statements/load-model.ts';
import { aroundTransaction, mostOfCall, mostOfItem, mostOfPass } from '#model/statements/most-statements.ts';

type Limits = ReturnType<typeof limitsOf>;

/** The reason why a load is more than a production connection allows, as a sentence; null: it is not more. */
export const tooMuchText = (limits: Limits, experiment: Experiment, settings: Settings): string | null =>
  reconnectsText(settings) ?? tooManyConnectionsText(limits, settings) ?? tooOftenText(limits, experiment, settings);

/** Each new session costs the server a process and a login, which no limit of statements covers. */
const reconnectsText = ({ callsPerConnection }: Settings): string | null =>
  callsPerConnection > 0
    ? 'callsPerConnection: Dyno opens no sessions again and again on a production server, whose processes and logins the others share.'
    : null;

function tooManyConnectionsText({ maxConnections, maxPerSecond }: Limits, settings: Settings): string | null {
  const { operation, processes } = settings;
  // Each process that copies reads over a connection of its own.
  const connections = settings.connections + (operation === 'copy' ? Math.min(processes, settings.connections) : 0);
  if (connections > maxConnections)
    return `${formatCount(connections)} connections are more than the ${formatCount(maxConnections)} that its production connection allows.`;
  const working = Math.min(processes, settings.connections);
  return working > Math.max(1, maxPerSecond)
    ? `${formatCount(working)} processes cannot share the ${formatUpTo(maxPerSecond)} statements a second that its production connection allows.`
    : null;
}

/** The most statements that processes can send in any second if they share a limit of whole statements. */
function inAnySecond({ maxPerSecond }: Limits, { processes, connections }: Settings): number {
  const working = Math.min(processes, connections);
  return maxPerSecond < working ? maxPerSecond : Math.floor(maxPerSecond / working) * working;
}

function tooOftenText(limits: Limits, { measure, ...own }: Experiment, settings: Settings): string | null {
  const { maxPerSecond } = limits;
  const allowed = `the ${formatUpTo(maxPerSecond)} that its production connection allows`;
  const work = mostWork(own, settings);
  if (work.atOnce > Math.max(1, maxPerSecond))
    return `${work.what} sends up to ${formatCount(work.atOnce)} statements, which are more than ${allowed} in a second.`;
  if (work.perSecond === null)
    return `Nothing limits how many statements a second a closed load without think time makes, and its production connection allows ${formatUpTo(maxPerSecond)}: set load: open with arrivalsPerSecond, or a think time.`;
  const peak = Math.max(1, ...(measure.stages ?? []).flatMap(({ from, to }) => [from ?? 0, to]));
  const most = work.perSecond * peak;
  return most > inAnySecond(limits, settings)
    ? `Up to ${formatUpTo(most)} statements a second are more than ${allowed}${work.atOnce > 1 ? ` (${work.what} sends up to ${formatCount(work.atOnce)})` : ''}.`
    : null;
}

/** An upper bound for the work of a load. */
interface MostWork {
  /** The number of statements in the largest unit that is sent without a pause. */
  readonly atOnce: number;
  /** The name of the largest unit, as the subject of a sentence. */
  readonly what: string;
  /** Statements a second, without the peaks of stages; null: as many as the server answers. */
  readonly perSecond: number | null;
}

type Own = Pick<Experiment, 'statements' | 'transactions' | 'scenarios'>;

function mostWork(own: Own, settings: Settings): MostWork {
  const { operation, method, rowsPerCall, callsPerCommit } = settings;
  if (operation !== 'statement') {
    const atOnce = callsPerCommit * mostOfCall(method, rowsPerCall) + (callsPerCommit > 1 ? aroundTransaction : 0);
    const what = callsPerCommit > 1 ? 'A transaction' : 'A call';
    return { atOnce, what, perSecond: mostPerSecond(settings, [{ statements: atOnce, pauseMs: 0 }]) };
  }
  const items = [...weightsOf(own).keys()];
  const sizes = items.map((name) => ({ name, statements: mostOfItem(own, name), pauseMs: 0 }));
  const largest = sizes.toSorted((a, b) => b.statements - a.statements)[0];
  const passes = own.scenarios
    ? Object.values(own.scenarios)
        .filter(({ users }) => users > 0)
        .map((scenario) => mostOfPass(own, scenario))
    : sizes;
  return {
    atOnce: largest?.statements ?? 1,
    what: `“${largest?.name ?? ''}”`,
    perSecond: mostPerSecond(settings, passes),
  };
}

/** Units are what a user does between think times: a statement, a transaction, or a pass through a scenario. */
function mostPerSecond(
  settings: Settings,
  units: readonly { readonly statements: number; readonly pauseMs: number }[],
): number | null {
  const load = loadModel(settings);
  const most = Math.max(0, ...units.map(({ statements }) => statements));
  switch (load.kind) {
    case 'closed': {
      const rates = units.map(
        ({ statements, pauseMs }) => (load.users * statements * 1_000) / (load.thinkMs + pauseMs),
      );
      const highest = Math.max(0, ...rates);
      return Number.isFinite(highest) ? highest : null;
    }
    case 'open':
      return load.arrivalsPerSecond * most;
    case 'partlyOpen':
      return load.arrivalsPerSecond * load.unitsPerSession * most;
  }
}
