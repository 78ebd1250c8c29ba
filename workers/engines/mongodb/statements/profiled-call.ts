import type { Document } from 'mongodb';
import type { CountedText, OtherKind } from '#engine-api/kept-statements.ts';
import { isKeptVerb, keptCommand } from './kept-commands.ts';

/** Collections of the server and of Dyno. */
const kindOf = (collection: string): OtherKind | null =>
  collection.startsWith('dyno_') ? 'dyno' : /^system\.|^\$cmd/.test(collection) ? 'catalog' : null;

/**
 * The text of a command without its values, or the reason why no experiment has it. `client`: the name of the program
 * that has sent the command. Each connection of Dyno begins its name with “dyno”.
 */
export function textOf(collection: string, verb: string, command: Document, client: unknown): CountedText {
  const kind = typeof client === 'string' && /^dyno\b/i.test(client) ? 'dyno' : kindOf(collection);
  const kept = kind === null ? keptCommand(collection, verb, command) : null;
  return kept ? { text: kept.text } : { kind: kind ?? otherKind(verb), words: verb };
}

const definitions = /^(create|drop|collMod|renameCollection|validate|compact|reIndex)/;
const otherKind = (verb: string): OtherKind =>
  definitions.test(verb) ? 'definition' : isKeptVerb(verb) ? 'cut' : 'session';

/** A document of the profiler, as its text and figures (manual, "Database Profiler Output"). */
export function profiledCall(one: Document) {
  const collection = collectionOf(String(one.ns));
  const isMore = one.op === 'getmore';
  const [verb, command] = commandOf(String(one.op), (isMore ? one.originatingCommand : one.command) ?? {});
  const rows = one.nreturned ?? one.nModified ?? one.ninserted ?? one.ndeleted ?? 0;
  return {
    ...textOf(collection, verb, command, one.appName),
    // The next batches of a cursor belong to the call that has opened it.
    calls: isMore ? 0 : 1,
    ms: Math.max(Number(one.millis ?? 0), Number(one.cpuNanos ?? 0) / 1e6),
    rows: Number(rows),
  };
}

/** The collection of a namespace; the name of a database has no point. */
const collectionOf = (namespace: string): string => namespace.slice(namespace.indexOf('.') + 1);

/** The profiler keeps each change of an update or delete as a document of its own. */
function commandOf(op: string, command: Document): readonly [verb: string, command: Document] {
  if (op === 'update' && 'q' in command)
    return [
      'update',
      { updates: [{ q: command.q, u: command.u, multi: command.multi === true, upsert: command.upsert === true }] },
    ];
  if (op === 'remove' && 'q' in command)
    return ['delete', { deletes: [{ q: command.q, limit: Number(command.limit ?? 0) }] }];
  const verb = Object.keys(command)[0] ?? op;
  return [verb === 'findandmodify' ? 'findAndModify' : verb, command];
}
