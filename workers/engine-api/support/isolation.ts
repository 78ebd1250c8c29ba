import { DynoError } from '#model/error.ts';
import { type Isolation, isolations } from '#model/settings/vocabulary.ts';
import type { EngineDescriptor } from '../descriptor.ts';

type Isolating = Pick<EngineDescriptor, 'label' | 'isolations' | 'unsupportedReasons'>;

/** Why no session of an engine can have this isolation level, as a phrase; null where it can. */
export function noIsolationText(engine: Isolating, isolation: Isolation): string | null {
  if (isolation === 'default' || engine.isolations?.[isolation] !== undefined) return null;
  return (
    engine.unsupportedReasons[`isolation.${isolation}`] ??
    engine.unsupportedReasons.isolation ??
    `${engine.label} has no isolation of the kind ${isolation}.`
  );
}

/** The level that a session really has: the strongest of those for which the engine uses the same name. */
export function trueIsolation({ isolations: words }: Pick<Isolating, 'isolations'>, isolation: Isolation) {
  const word = words?.[isolation];
  return word === undefined ? isolation : (isolations.findLast((level) => words?.[level] === word) ?? isolation);
}

/**
 * The server's name for a level that a session has to set; null: the session sets none. Throws 'unsupported' where the
 * engine lacks the level.
 */
export function isolationWord(engine: Isolating, isolation: Isolation = 'default'): string | null {
  const why = noIsolationText(engine, isolation);
  if (why !== null) throw new DynoError('unsupported', `isolation: ${isolation} — ${why}`);
  return isolation === 'default' ? null : (engine.isolations?.[isolation] ?? null);
}

/** The level as text: "read committed". */
export const isolationTitle = (isolation: Isolation): string =>
  isolation.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
