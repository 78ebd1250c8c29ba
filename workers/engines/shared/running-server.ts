import type { RunningServer } from '#engine-api/database.ts';
import type {
  AskedParameters,
  ParameterState,
  ServerParameter,
  ServerParameters,
} from '#model/settings/server-parameters.ts';

/** The state of a parameter, whose entry the server may not have taken over. */
export interface KnownState extends ParameterState {
  /** True: a process was killed between an entry and its takeover. Default: the server has taken the entry over. */
  readonly isAhead?: boolean;
}

/** An engine's part in changes of the parameters of a running server. */
interface ServerAccess extends Pick<RunningServer, 'hold'> {
  states(names: readonly string[], asked?: ServerParameters): Promise<Readonly<Record<string, KnownState>>>;
  /** Writes entries by name, as ParameterState.entry, and waits until new sessions have the values. */
  write(entries: Readonly<Record<string, string | null>>): Promise<void>;
  /** True if the server reports the entry as `found`. Example: `1G` as 1073741824. */
  isSame(entry: string, found: string): boolean;
}

/** A running server whose parameters change only where nobody else has changed them. */
export function runningServer({ hold, states, write, isSame }: ServerAccess): RunningServer {
  const isEntry = (one: string | null, found: string | null) =>
    one === null || found === null ? one === found : isSame(one, found);
  return {
    hold,
    states,
    async change(changes) {
      const now = await states(Object.keys(changes));
      const entries: Record<string, string | null> = {};
      const untouched: string[] = [];
      for (const [name, { from, to }] of Object.entries(changes)) {
        const { entry: found = null, isAhead = false } = now[name] ?? {};
        if (isEntry(to, found)) {
          if (isAhead) entries[name] = to;
        } else if (from.some((one) => isEntry(one, found))) entries[name] = to;
        else untouched.push(name);
      }
      if (Object.keys(entries).length > 0) await write(entries);
      return untouched;
    },
  };
}

/** The values of states, judged as `Database.serverParameters` does. */
export const judgedStates = (
  states: Readonly<Record<string, ParameterState>>,
  asked: AskedParameters,
  isSame: (entry: string, found: string) => boolean,
): Readonly<Record<string, ServerParameter>> =>
  Object.fromEntries(
    Object.entries(asked).map(([name, wanted]) => {
      const { value = null } = states[name] ?? {};
      return [name, { value, isAsked: wanted === null || (value !== null && isSame(wanted, value)) }];
    }),
  );
