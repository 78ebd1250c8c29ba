import { DynoError } from '#model/error.ts';
import type { Link } from '../connection/link.ts';
import { type CommandResult, touched } from '../connection/sessions.ts';

/** A command of a batch. */
export interface BatchCommand {
  readonly type: 'PUT' | 'PATCH' | 'DELETE';
  /** The document's id as JSON. */
  readonly id: string;
  /** The whole command as JSON. */
  readonly json: string;
  /** True if the command creates or replaces its document, so that it does not fail if there is none. */
  readonly always: boolean;
}

/**
 * The changes of a session. Outside of a transaction each batch is sent at once; in a transaction all are sent with the
 * commit, as a driver's session does.
 */
export interface Changes {
  begin(): void;
  /** A transaction that changes nothing has nothing to send. */
  commit(): Promise<void>;
  rollback(): void;
  /**
   * Returns the number of documents touched. In a transaction it is the number that will be touched, or the commit
   * fails.
   */
  make(batch: readonly BatchCommand[]): Promise<number> | number;
  /**
   * Tries changes, and returns the number of documents touched; in a transaction the server executes all changes so
   * far, and undoes them.
   */
  attempt(batch: readonly BatchCommand[]): Promise<number>;
}

export function createChanges(link: Link): Changes {
  let waiting: BatchCommand[] | null = null;
  const send = async (commands: readonly string[]): Promise<number> => {
    const body = `{"Commands":[${commands.join(',')}]}`;
    const { Results: results } = (await link.ask({ method: 'POST', path: '/bulk_docs', body })) as {
      readonly Results: readonly CommandResult[];
    };
    return touched(results);
  };
  const make = (batch: readonly BatchCommand[]) => {
    if (waiting === null) return send(batch.map(({ json }) => json));
    waiting.push(...batch);
    return batch.length;
  };
  return {
    begin() {
      waiting = [];
    },
    async commit() {
      const batch = waiting ?? [];
      waiting = null;
      if (batch.length > 0) await send(batch.map(certain));
    },
    rollback() {
      waiting = null;
    },
    make,
    async attempt(batch) {
      const count = await make(batch);
      if (waiting === null) return count;
      try {
        await send([...waiting.map(certain), undoing]);
      } catch (error) {
        if (error instanceof Error && error.message.includes(undone)) return count;
        throw error;
      }
      throw new DynoError('internal', 'A batch that was to be undone was not.');
    },
  };
}

const script = (text: string, id: string): string => `{"Script":${JSON.stringify(text)},"Values":{"id":${id}}}`;

/**
 * The command, which fails if there is no document (unless `always`). Otherwise the server would report a patch or a
 * deletion as done that changed nothing, and would store the rest.
 */
function certain({ type, id, json, always }: BatchCommand): string {
  if (always) return json;
  const missing = `"PatchIfMissing":${script("throw 'There is no document ' + args.id + ' to change.'", id)}`;
  if (type === 'PATCH') return `${json.slice(0, -1)},${missing}}`;
  return `{"Type":"PATCH","Id":${id},"Patch":{"Script":""},${missing}},${json}`;
}

const undone = 'Dyno has tried this, and undoes it.';
/** Fails, with or without a document. */
const undoing = JSON.stringify({
  Type: 'PATCH',
  Id: 'dyno/tried',
  Patch: { Script: `throw '${undone}'` },
  PatchIfMissing: { Script: `throw '${undone}'` },
});
