import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { changesIn } from '#experiment/schema/levels.ts';
import { readYaml, type YamlSource } from '#experiment/yaml/yaml-source.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { isMapping } from '#model/is-mapping.ts';
import { leavesOf } from '#model/leaves.ts';
import type { Path } from '#model/text/path-text.ts';
import { changeAlone } from '#platform/file-lock.ts';
import { readKept, writeAtomically } from '#platform/json-file.ts';
import type { Home } from '#platform/paths.ts';
import type { Origin } from '#protocol/foreign-work.ts';
import { openKeptIndex } from '../kept-index.ts';
import type { Library } from '../library/library.ts';

/**
 * Remembers which experiments came from elsewhere and were not confirmed. It records each part that makes an experiment
 * do something (its targets, statements, checks, files) and the whole, so neither a copy nor a change elsewhere in the
 * text hides the origin of a statement.
 */
export interface Trust {
  /**
   * Records a text that came from elsewhere. Parts that the gallery, the library or a trusted text also has are known
   * already. `copy`: the id of its copy in the library, which does not make it known. `file`: the path of the file.
   */
  noteForeign(source: YamlSource, copy?: string | null, file?: string): void;
  /**
   * The file from which a text was first read, even if it is trusted by now, has another name or is a copy. Null if it
   * did not come from elsewhere, or the file was not recorded.
   */
  originOf(source: YamlSource): Origin | null;
  /** True if a text has a part that came from elsewhere and that the user has not trusted. */
  isForeign(source: YamlSource): boolean;
  /** Remembers, by their hashes, that the user trusts the parts of a text. */
  trust(source: YamlSource): void;
}

const origin = v.object({ file: v.string(), at: v.pipe(v.string(), v.isoTimestamp()) });
const stored = v.object({
  foreign: v.array(v.string()),
  trusted: v.array(v.string()),
  /** The files of origin, and for each part the index of its file in this list. */
  origins: v.array(origin),
  cameFrom: v.record(v.string(), v.number()),
});
const nothing: v.InferOutput<typeof stored> = { foreign: [], trusted: [], origins: [], cameFrom: {} };
/** Maximum number of hashes of trusted parts; the newest are kept. Dyno asks again about a part whose hash is gone. */
const mostTrusted = 20_000;
/** Maximum number of recorded origins; the newest are kept. */
const mostOrigins = 500;

/**
 * The trust of a home. It is read again at each use, because window and command line share it. Its functions throw
 * 'badInput' if its file is damaged.
 */
export function openTrust(home: Home, library: Pick<Library, 'texts'>): Trust {
  const file = join(home.state, 'trust.json');
  // A damaged file is an error, because without its records everything in the library would be trusted.
  const read = () => {
    const kept = readKept(file) ?? nothing;
    const parsed = v.safeParse(stored, kept);
    if (!parsed.success)
      throw new DynoError('badInput', `${file} does not say what came from elsewhere.`, {
        hint: 'Put an older copy in its place, or move it away: then your library counts as your own.',
      });
    const { foreign, trusted, origins, cameFrom } = parsed.output;
    const places = Object.entries(cameFrom).map(([part, at]) => [part, origins[at]] as const);
    return {
      foreign: new Set(foreign),
      trusted: new Set(trusted),
      origins: new Map(places.filter((place): place is readonly [string, Origin] => place[1] !== undefined)),
    };
  };
  const write = ({ foreign, trusted, origins: places }: ReturnType<typeof read>) => {
    const origins = [...new Set(places.values())].toSorted((a, b) => a.at.localeCompare(b.at)).slice(-mostOrigins);
    const numbers = new Map(origins.map((one, at) => [one, at]));
    const numbered = Array.from(places, ([part, one]) => [part, numbers.get(one)] as const);
    // A part of a foreign file is never forgotten, because it would then count as the user's own.
    const kept = {
      ...{ foreign: [...foreign], trusted: [...trusted].slice(-mostTrusted), origins },
      cameFrom: Object.fromEntries(numbered.filter(([, at]) => at !== undefined)),
    };
    try {
      writeAtomically(file, JSON.stringify(kept));
    } catch (thrown) {
      const { kind, code, message } = toErrorData(thrown);
      throw new DynoError(kind === 'internal' ? 'other' : kind, `${file} cannot be written: ${message}`, {
        code,
        hint: 'Free some space, or set DYNO_HOME to a folder you can write to.',
      });
    }
  };
  const change = (make: (now: ReturnType<typeof read>) => void) =>
    changeAlone(file, () => {
      const now = read();
      make(now);
      write(now);
    });
  const index = openKeptIndex(home.libraryParts, v.array(v.string()));
  const partsOfText = (text: string): readonly string[] => {
    const key = hashOf('parts', text);
    return index.get(key) ?? index.set(key, [...partsOf(readYaml(text))]);
  };
  return {
    noteForeign(source, copy = null, from) {
      const known = read();
      const fresh = partsOf(source).filter((part) => !known.trusted.has(part) && !known.foreign.has(part));
      if (fresh.length === 0) return;
      const ours = [...library.texts()].filter(([id]) => id !== copy);
      if (ours.some(([, text]) => text === source.text)) return;
      const own = new Set(ours.flatMap(([, text]) => partsOfText(text)));
      index.keep();
      const unknown = fresh.filter((part) => !own.has(part));
      if (unknown.length === 0) return;
      const came = from === undefined ? null : { file: resolve(from), at: new Date().toISOString() };
      change(({ foreign, trusted, origins }) => {
        for (const part of unknown) {
          if (!trusted.has(part)) foreign.add(part);
          if (came && !origins.has(part)) origins.set(part, came);
        }
      });
    },
    originOf(source) {
      const { origins } = read();
      if (origins.size === 0) return null;
      return partsOf(source).flatMap((part) => origins.get(part) ?? [])[0] ?? null;
    },
    isForeign(source) {
      const { foreign } = read();
      return foreign.size > 0 && partsOf(source).some((part) => foreign.has(part));
    },
    trust(source) {
      change(({ foreign, trusted }) => {
        for (const part of partsOf(source)) {
          foreign.delete(part);
          trusted.add(part);
        }
      });
    },
  };
}

/**
 * Hashes of the whole file as parsed, which ignore comments and layout, and of each part that acts outside of Dyno. A
 * text that is not YAML is hashed as written.
 */
function partsOf({ text, value }: YamlSource): readonly string[] {
  if (!isMapping(value)) return [hashOf('whole', text.replaceAll(/\r\n?/g, '\n'))];
  const targets = Array.isArray(value.targets) ? value.targets.filter(isMapping) : [];
  return [
    ...new Set([
      hashOf('whole', JSON.stringify(value)),
      ...targets.map((target) => hashOf('target', JSON.stringify(target))),
      ...textsIn(value).map((part) => hashOf('text', part)),
      ...settingsIn(value, 'session').map((part) => hashOf('session', part)),
      ...settingsIn(value, 'server').map((part) => hashOf('server', part)),
    ]),
  ];
}

/** Mappings whose keys are names that the file chooses: a statement or a parameter may be named `text` or `file`. */
const namesOf = new Set([
  ...['statements', 'transactions', 'scenarios', 'checks', 'parameters', 'sizes'],
  ...['tables', 'columns'],
]);

/**
 * Texts of statements, checks, queries and indexes, and names of files, wherever they are; of a text with variants by
 * engine or target each variant, whatever the target is called.
 */
const textsIn = (experiment: unknown): readonly string[] =>
  leavesOf(experiment).flatMap(({ value, path }) => (typeof value === 'string' && isBelowText(path) ? [value] : []));

/** Settings by engine that a section has, in the file and in its sizes and levels. */
const settingsIn = (experiment: Readonly<Record<string, unknown>>, section: 'session' | 'server'): readonly string[] =>
  [experiment[section], ...changesIn(experiment).map(({ change }) => change[section])].flatMap((settings) =>
    leavesOf(settings).map(({ path, value }) => JSON.stringify([path, value])),
  );

function isBelowText(path: Path): boolean {
  let names = 0;
  return path.some((step) => {
    if (names === 0 && textKeys.has(String(step))) return true;
    // Below `factors` stand the name of a factor, and the name of a level.
    names = names > 0 ? names - 1 : step === 'factors' ? 2 : namesOf.has(String(step)) ? 1 : 0;
    return false;
  });
}

/** The keys whose values act outside of Dyno: texts for servers, conditions and expressions of indexes, and files. */
const textKeys = new Set(['text', 'file', 'where', 'expression', 'setup', 'teardown']);

const hashOf = (kind: string, content: string): string =>
  createHash('sha256').update(`${kind}\0${content}`).digest('base64url');
