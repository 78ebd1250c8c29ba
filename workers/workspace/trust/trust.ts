import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as v from 'valibot';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { isMapping } from '#model/is-mapping.ts';
import { changeAlone } from '#platform/file-lock.ts';
import { readKept, writeAtomically } from '#platform/json-file.ts';
import type { Home } from '#platform/paths.ts';
import type { Library } from '../library/library.ts';

/**
 * Which experiments came from elsewhere and have not been looked at. What makes an experiment do something is noted,
 * part by part (its targets, statements, checks, files) and as a whole, so that neither a copy nor a change elsewhere
 * in the text forgets where a statement came from.
 */
export interface Trust {
  /**
   * Notes a text that came from elsewhere. What the gallery, the library or a trusted text has too is known already.
   * `copy`: the id of its copy in the library, which does not make it known.
   */
  noteForeign(text: string, copy?: string): void;
  /** Whether a text has a part that came from elsewhere and that the user has not trusted. */
  isForeign(text: string): boolean;
  /** Remembers, by their hashes, that the user trusts the parts of a text. */
  trust(text: string): void;
}

const stored = v.object({ foreign: v.array(v.string()), trusted: v.array(v.string()) });
/** Hashes of each kind that are kept, the newest. */
const most = 20_000;

/**
 * The trust of a home; it is read anew each time, because the window and the command line share it. Its functions throw
 * 'badInput' where its file is damaged.
 */
export function openTrust(home: Home, library: Pick<Library, 'list'>): Trust {
  const file = join(home.state, 'trust.json');
  // Without what it has noted everything in the library would be trusted: a damaged file is an error.
  const read = () => {
    const kept = readKept(file) ?? { foreign: [], trusted: [] };
    const parsed = v.safeParse(stored, kept);
    if (!parsed.success)
      throw new DynoError('badInput', `${file} does not say what came from elsewhere.`, {
        hint: 'Put an older copy in its place, or move it away: then your library counts as your own.',
      });
    const { foreign, trusted } = parsed.output;
    return { foreign: new Set(foreign), trusted: new Set(trusted) };
  };
  const write = ({ foreign, trusted }: ReturnType<typeof read>) => {
    try {
      writeAtomically(file, JSON.stringify({ foreign: [...foreign].slice(-most), trusted: [...trusted].slice(-most) }));
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
  return {
    noteForeign(text, copy) {
      const known = read();
      const fresh = partsOf(text).filter((part) => !known.trusted.has(part) && !known.foreign.has(part));
      if (fresh.length === 0) return;
      const own = new Set(library.list().flatMap(({ id, text: ours }) => (id === copy ? [] : partsOf(ours))));
      const unknown = fresh.filter((part) => !own.has(part));
      if (unknown.length === 0) return;
      change(({ foreign, trusted }) => {
        for (const part of unknown) if (!trusted.has(part)) foreign.add(part);
      });
    },
    isForeign(text) {
      const { foreign } = read();
      return foreign.size > 0 && partsOf(text).some((part) => foreign.has(part));
    },
    trust(text) {
      change(({ foreign, trusted }) => {
        for (const part of partsOf(text)) {
          foreign.delete(part);
          trusted.add(part);
        }
      });
    },
  };
}

/** Hashes of the whole text and of each of its parts that does something outside of Dyno. */
function partsOf(text: string): readonly string[] {
  const { value } = readYaml(text);
  const plain = text.replaceAll(/\r\n?/g, '\n');
  if (!isMapping(value)) return [hashOf('whole', plain)];
  const targets = Array.isArray(value.targets) ? value.targets.filter(isMapping) : [];
  const sections = [value.statements, value.transactions, value.scenarios, value.checks, value.sizes];
  return [
    ...new Set([
      hashOf('whole', plain),
      ...targets.map((target) => hashOf('target', JSON.stringify(target))),
      ...sections.flatMap(textsIn).map((part) => hashOf('text', part)),
    ]),
  ];
}

/** Texts of statements, checks and queries, and names of files, wherever they are. */
function textsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isMapping(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if ((key === 'text' || key === 'file') && typeof inner === 'string') return [inner];
    // A text for each engine; a parameter of that name has a type.
    if (key === 'text' && isMapping(inner) && inner.type === undefined)
      return Object.values(inner).filter((one) => typeof one === 'string');
    return textsIn(inner);
  });
}

const hashOf = (kind: string, content: string): string =>
  createHash('sha256').update(`${kind}\0${content}`).digest('base64url');
