import { DynoError, type ErrorData, toErrorData } from '#model/error.ts';
import type { ParameterState, ServerParameters } from '#model/settings/server-parameters.ts';
import type { ServerInstance } from '#planning/server-instances.ts';
import type { Home } from '#platform/paths.ts';
import { type Control, momentOf } from '../worker/control.ts';
import { deadRunsTables, forgetParameters, type HeldTables, type NotedParameters, tablesOf } from './leftovers.ts';

/**
 * Gives the user's server the parameters of a set. The values before the run are noted durably before the first change,
 * and a value that somebody else has set is never replaced. Throws 'unsupported' for a parameter that the running
 * server does not change, 'permission' where the right is missing or another run changes parameters there, and
 * 'notConfirmed' for a production server.
 */
export async function setParameters(
  home: Home,
  held: HeldTables,
  control: Control,
  { parameters, asked }: ServerInstance,
  signal: AbortSignal,
): Promise<void> {
  const { place, mark } = await control.connect(signal);
  const { name: target } = control.planned;
  if (mark)
    throw new DynoError('notConfirmed', `${target}: Dyno changes no parameters of a production server.`, {
      hint: 'Use `session`, or another server.',
    });
  await restoreDead(home, control, place, signal);
  const names = Object.keys(asked);
  const states = await parameterStates(control, names, true, signal, parameters);
  const refusals = names.flatMap((name) => states[name]?.refusal ?? []);
  if (refusals.length > 0) throw new DynoError('unsupported', refusals.join(' '));
  const known = held.parametersAt(place);
  const first = names.map((name) => [name, known[name] ?? { before: states[name]?.entry ?? null, set: [] }] as const);
  // Whatever the server makes of a value is noted before the change, because the process may be killed right after it.
  const rounded = Object.fromEntries(names.map((name) => [name, states[name]?.rounded]));
  const intended = withEntries(withEntries({ ...known, ...Object.fromEntries(first) }, parameters), rounded);
  held.noteParameters(place, intended);
  const changes = Object.fromEntries(
    Object.entries(intended).map(([name, { before, set }]) => [
      name,
      { from: [before, ...set], to: parameters[name] ?? before },
    ]),
  );
  // A server may write a value otherwise than the experiment. A cancel does not keep the note of it away.
  const noteFound = async (others: readonly string[]) => {
    const after = await parameterStates(control, names, false, new AbortController().signal);
    const found = Object.keys(parameters).filter(
      (name) => !others.includes(name) && after[name]?.entry !== states[name]?.entry,
    );
    const entries = Object.fromEntries(found.map((name) => [name, after[name]?.entry]));
    held.noteParameters(place, withEntries(intended, entries));
    return after;
  };
  let untouched: readonly string[];
  try {
    untouched = await withRight(control, control.ask({ call: 'changeParameters', changes }, momentOf(signal)));
  } catch (thrown) {
    await noteFound([]).catch(() => {});
    throw thrown;
  }
  const after = await noteFound(untouched);
  if (untouched.length > 0)
    throw new DynoError(
      'permission',
      untouched.map((name) => `Somebody else has changed ${name} of ${target} to ${after[name]?.value}.`).join(' '),
      { hint: 'Dyno does not replace their value. Run the experiment again when nobody else changes the server.' },
    );
}

/**
 * Gives back what killed runs of this home have changed, so that the values before this run are none of theirs. Throws
 * if that fails.
 */
async function restoreDead(home: Home, control: Control, place: string, signal: AbortSignal): Promise<void> {
  for (const { tag, parameters } of deadRunsTables(home)) {
    if (!parameters?.[place]) continue;
    const { stay } = await restoreParameters(home, tag, control, place, signal);
    if (stay.length > 0) throw new DynoError('permission', stay.join(' '));
  }
}

/** The notes, with one more entry that the run may have given, by parameter. */
const withEntries = (
  noted: NotedParameters,
  entries: Readonly<Record<string, string | null | undefined>>,
): NotedParameters =>
  Object.fromEntries(
    Object.entries(noted).map(([name, one]) => {
      const entry = entries[name] ?? null;
      return [name, entry === null || one.set.includes(entry) ? one : { ...one, set: [...one.set, entry] }];
    }),
  );

/**
 * The states of parameters. `hold`: takes the server's lock for changes first. `asked`: the values that are set next.
 */
export const parameterStates = (
  control: Control,
  names: readonly string[],
  hold: boolean,
  signal: AbortSignal,
  asked: ServerParameters = {},
): Promise<Readonly<Record<string, ParameterState>>> =>
  withRight(control, control.ask({ call: 'parameterStates', names, hold, asked }, momentOf(signal)));

/**
 * Gives a server back the parameters that the run of a tag has changed. `given`: their names. `stay`: sentences about
 * parameters that somebody else has changed since. Throws the errors of the server; the note then stays.
 */
export async function restoreParameters(
  home: Home,
  tag: string,
  control: Control,
  place: string,
  signal: AbortSignal,
): Promise<{ readonly given: readonly string[]; readonly stay: readonly string[] }> {
  const noted = tablesOf(home, tag)?.parameters?.[place];
  if (!noted) return { given: [], stay: [] };
  const names = Object.keys(noted);
  const states = await parameterStates(control, names, true, signal);
  const changes = Object.fromEntries(
    Object.entries(noted).map(([name, { before, set }]) => [name, { from: set, to: before }]),
  );
  const untouched = await withRight(control, control.ask({ call: 'changeParameters', changes }, momentOf(signal)));
  forgetParameters(home, tag, place);
  const stay = untouched.map((name) => {
    const before = noted[name]?.before ?? 'not set';
    return `${name} of ${control.planned.name} is ${states[name]?.value}, which the run did not set: somebody else has changed it since, or the server was restarted. Dyno leaves it; before the run it was ${before}.`;
  });
  return { given: names.filter((name) => !untouched.includes(name)), stay };
}

/** The answer of the server; a missing right gets the name of the right. */
async function withRight<T>(control: Control, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (thrown) {
    const error: ErrorData = toErrorData(thrown);
    const right = control.descriptor.serverParameters?.running?.right;
    if (error.kind !== 'permission' || error.code === null || right === undefined) throw thrown;
    throw new DynoError('permission', error.message, {
      ...error,
      hint: `To change parameters of the running server, the user needs ${right}.`,
    });
  }
}
