import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';
import { holdsPlainSecret } from '#engine-api/connection-strings/plain-secrets.ts';
import { topics } from '#experiment/schema/gallery-card.ts';
import { maxTextLength } from '#experiment/yaml/yaml-source.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { formatCount } from '#model/format/format.ts';
import { isMapping } from '#model/is-mapping.ts';
import { diagnosticLine } from '#model/text/diagnostic.ts';
import { readGiven } from '#platform/given-file.ts';
import { writeAtomically } from '#platform/json-file.ts';
import { galleryFolder, type Home } from '#platform/paths.ts';
import type { LibraryEntry } from '#protocol/ipc.ts';
import { type ParsedFile, parseFile } from '#rules/parsed-file.ts';
import { openKeptIndex } from '../kept-index.ts';
import { freeName, moveToTrash, restoreFromTrash } from './trash.ts';

const ending = '.dyno.yaml';

/** The facts that a file of the library states of itself. */
type About = Pick<LibraryEntry, 'name' | 'question' | 'topic' | 'targets' | 'problem'>;

const aboutSchema: v.GenericSchema<unknown, About> = v.object({
  name: v.string(),
  question: v.string(),
  topic: v.nullable(v.picklist(topics)),
  targets: v.array(v.string()),
  problem: v.nullable(v.string()),
});

/** The gallery and the user's own experiments. Ids are opaque: `gallery:name` and `mine:name`, never a path. */
export interface Library {
  list(): readonly LibraryEntry[];
  /** The texts of all readable experiments, by id. */
  texts(): ReadonlyMap<string, string>;
  /** Parses every file that is new since the last start, so that list() need not. Yields to other work in between. */
  prepare(): Promise<void>;
  read(id: string): { readonly text: string; readonly entry: LibraryEntry };
  /** Replaces a user's experiment; null or a gallery id creates a new one. Refuses a secret in plain text. */
  save(id: string | null, text: string): LibraryEntry;
  delete(id: string): { readonly undo: string };
  restore(undo: string): LibraryEntry;
  /** Copies a file into the user's library. `file`: the experiment that it has. */
  import(path: string): { readonly entry: LibraryEntry; readonly file: ParsedFile };
}

export function openLibrary(home: Home): Library {
  const folders = { gallery: galleryFolder, mine: home.experiments } as const;

  const locate = (id: string): { readonly origin: LibraryEntry['origin']; readonly file: string } => {
    const match = /^(gallery|mine):([^/\\:]+)$/.exec(id);
    const origin = match?.[1] as LibraryEntry['origin'] | undefined;
    const file = origin && join(folders[origin], `${match?.[2]}${ending}`);
    if (!origin || !file || !existsSync(file))
      throw new DynoError('badInput', 'This experiment does not exist any more.', { hint: 'Look at the list again.' });
    return { origin, file };
  };
  const index = openKeptIndex(home.library, aboutSchema);
  /** `parsed`: the content of the file, for a caller that has it. */
  const aboutFile = (file: string, parsed?: ParsedFile): About & { readonly text: string } => {
    const text = readText(file);
    const name = basename(file, ending);
    const key = createHash('sha256').update(`${name}\n${text}`).digest('base64url');
    return { ...(index.get(key) ?? index.set(key, aboutParsed(parsed ?? parseFile(text), name))), text };
  };
  const entry = (origin: LibraryEntry['origin'], file: string, parsed?: ParsedFile): LibraryEntry => {
    const short = basename(file, ending);
    const common = { id: `${origin}:${short}`, origin, modifiedAt: statSync(file).mtime.toISOString() };
    try {
      return { ...common, ...aboutFile(file, parsed) };
    } catch (thrown) {
      return { ...common, ...unreadable(short, toErrorData(thrown).message), text: '' };
    }
  };
  const files = () =>
    (['gallery', 'mine'] as const).flatMap((origin) =>
      namesIn(folders[origin]).map((name) => ({ origin, file: join(folders[origin], name) })),
    );
  const write = (file: string, parsed: ParsedFile): LibraryEntry => {
    writeAtomically(file, parsed.text);
    return entry('mine', file, parsed);
  };
  const create = (parsed: ParsedFile, fallback: string | null): LibraryEntry =>
    write(freeName(join(home.experiments, `${fileNameFor(parsed.text, fallback)}${ending}`)), parsed);

  return {
    texts: () =>
      new Map(
        files().flatMap(({ origin, file }) => {
          try {
            return [[`${origin}:${basename(file, ending)}`, readText(file)]];
          } catch {
            return []; // list() says why.
          }
        }),
      ),
    list: () => files().map(({ origin, file }) => entry(origin, file)),
    async prepare() {
      for (const { file } of files()) {
        await setImmediate();
        try {
          aboutFile(file);
        } catch {
          // If the file is unreadable or gone by now, list() reports it.
        }
      }
      index.keep();
    },
    read(id) {
      const { origin, file } = locate(id);
      return { text: readText(file), entry: entry(origin, file) };
    },
    save(id, text) {
      if (text.length > maxTextLength)
        throw new DynoError('badInput', `An experiment file has at most ${formatCount(maxTextLength)} characters.`);
      const parsed = parseFile(text);
      refuseSecrets(parsed.value);
      const place = id === null ? null : locate(id);
      if (place?.origin !== 'mine') return create(parsed, place && basename(place.file, ending));
      return write(place.file, parsed);
    },
    delete(id) {
      const { origin, file } = locate(id);
      if (origin === 'gallery')
        throw new DynoError('badInput', 'Experiments of the gallery come with Dyno and cannot be deleted.');
      return { undo: moveToTrash(home, file) };
    },
    restore: (undo) => entry('mine', restoreFromTrash(home, undo, home.experiments)),
    import(path) {
      const file = parseFile(readText(path));
      return { entry: create(file, basename(path).replace(/(\.dyno)?\.ya?ml$/i, '')), file };
    },
  };
}

function refuseSecrets(experiment: unknown): void {
  if (!(isMapping(experiment) && holdsPlainSecret(experiment.targets))) return;
  throw new DynoError('badInput', 'A target holds a secret in plain text; experiment files are shared and must not.', {
    hint: `Write \${env:NAME} instead, and set the environment variable NAME before the run.`,
  });
}

const namesIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        // A link may be broken.
        .filter((name) => name.endsWith(ending) && existsSync(join(folder, name)))
        .sort()
    : [];

function aboutParsed({ experiment, diagnostics }: ParsedFile, short: string): About {
  if (experiment) {
    const targets = experiment.targets.map((target) => (typeof target === 'string' ? target : target.name));
    const { name, question, gallery } = experiment;
    return { name, question, topic: gallery?.topic ?? null, targets, problem: null };
  }
  const first = diagnostics.find((one) => one.severity === 'error');
  return unreadable(short, first ? diagnosticLine(first) : 'Not readable.');
}

const unreadable = (name: string, problem: string): About => ({
  name,
  question: '',
  topic: null,
  targets: [],
  problem,
});

const readText = (file: string): string =>
  readGiven(file, maxTextLength, 'an experiment', basename(file)).toString('utf8');

/** Makes a file name from the experiment's name, also for half-written files. */
function fileNameFor(text: string, fallback: string | null): string {
  const name = /^name:\s*["']?(.+?)["']?\s*$/m.exec(text)?.[1] ?? fallback ?? 'experiment';
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 60)
    .replace(/-+$/, '');
  return plain || 'experiment';
}
