import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { maxTextLength, readYaml } from '#experiment/yaml/yaml-source.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { readGiven } from '#platform/given-file.ts';
import { decodeText } from '#platform/given-text.ts';
import { writeAtomically } from '#platform/json-file.ts';
import { galleryFolder, type Home } from '#platform/paths.ts';
import type { Opened } from '#protocol/opened.ts';
import { draftOfCsv, type FileDraft } from '#workspace/library/file-drafts.ts';
import type { Library } from '#workspace/library/library.ts';
import { dialects } from '#workspace/library/script-dialects.ts';
import type { ScriptDrafts } from '#workspace/library/script-drafts.ts';
import { freeName } from '#workspace/library/trash.ts';
import { headerOf } from '#workspace/runs/journal-reader.ts';
import type { Runs } from '#workspace/runs/runs.ts';
import type { Trust } from '#workspace/trust/trust.ts';
import type { Send } from '../../ipc.ts';
import { parseOpenLink } from '../../open-link.ts';
import { kindOfFile, type OpenWish } from '../../open-wishes.ts';
import type { RecentFiles } from './recent-files.ts';

/**
 * Opens files and links from outside the window: dropped files, file associations, a second start, a link. They wait
 * until the page requests them, because it may not be loaded yet. None of them is run.
 */
interface OpenedFiles {
  open(wishes: readonly OpenWish[]): Promise<void>;
  /** The files that were opened since the last call. */
  take(): readonly Opened[];
}

/** Values of a parameter, as workspace/library/list-files.ts reads them. */
const mostCsvBytes = 64_000_000;
/**
 * The most files that wait for the page. If there are more, the page does not request them, so the oldest are dropped.
 */
const mostWaiting = 40;

export function createOpenedFiles(
  home: Home,
  library: Library,
  runs: Runs,
  trust: Trust,
  recent: RecentFiles,
  send: Send,
  ask: AskDialect,
  scripts: ScriptDrafts,
): OpenedFiles {
  const { openLink, openFile } = createOpener(home, library, runs, trust, recent, send, ask, scripts);
  let waiting: readonly Opened[] = [];

  const attempt = async (wish: OpenWish): Promise<Opened> => {
    try {
      return 'link' in wish ? openLink(wish.link) : await openFile(wish.file);
    } catch (thrown) {
      if (!(thrown instanceof DynoError)) console.error('While opening:', thrown);
      return { kind: 'problem', name: 'link' in wish ? 'the link' : basename(wish.file), error: toErrorData(thrown) };
    }
  };

  return {
    async open(wishes) {
      for (const wish of wishes) {
        const opened = await attempt(wish);
        waiting = [...waiting, opened].slice(-mostWaiting);
      }
      // The page is notified once for all files, so that it sees files opened together.
      if (wishes.length > 0) send('files:changed', null);
    },
    take() {
      const taken = waiting;
      waiting = [];
      return taken;
    },
  };
}

/** Asks for the product of a script; null: none of these products, or no answer. */
type AskDialect = (script: string, labels: readonly string[]) => Promise<number | null>;

/** Opens one link, or one file by its kind. Both throw a DynoError for what cannot be opened. */
function createOpener(
  home: Home,
  library: Library,
  runs: Runs,
  trust: Trust,
  recent: RecentFiles,
  send: Send,
  ask: AskDialect,
  scripts: ScriptDrafts,
) {
  const openLink = (link: string): Opened => {
    const named = parseOpenLink(link);
    if (!named)
      throw new DynoError('badInput', 'This link to Dyno names nothing that a link can open.', {
        hint: 'Links look like dyno://open?gallery=NAME, dyno://open?experiment=NAME or dyno://open?run=ID.',
      });
    if ('run' in named) {
      runs.file(named.run); // throws where there is none
      return { kind: 'run', runId: named.run };
    }
    const { text, entry } = library.read(named.experiment);
    return { kind: 'experiment', id: entry.id, origin: entry.origin, text, note: null };
  };

  const openFile = async (path: string): Promise<Opened> => {
    const kind = kindOfFile(path);
    if (kind === null)
      throw new DynoError('badInput', `Dyno does not open files like ${basename(path)}.`, {
        hint: 'It opens experiments (.dyno.yaml), runs (.dyno-run), SQL scripts (.sql) and values (.csv).',
      });
    const opened =
      kind === 'run' ? await openRun(path) : kind === 'experiment' ? openExperiment(path) : await openOther(path);
    if (!isOwn(path)) recent.add(path);
    return opened;
  };

  const openRun = async (path: string): Promise<Opened> => {
    const { runId, yaml } = await headerOf(path);
    if (!runs.has(runId)) {
      trust.noteForeign(readYaml(yaml), null, path);
      await runs.import(path);
      send('runs:changed', null);
    }
    return { kind: 'run', runId };
  };

  const openExperiment = (path: string): Opened => {
    const known = idIn(home, path);
    if (known !== null) return openKnown(known);
    const text = readText(path, 'an experiment');
    trust.noteForeign(readYaml(text), null, path);
    const note = `A copy of ${basename(path)}: Save puts it among your experiments, and leaves the file as it is.`;
    return { kind: 'experiment', id: null, origin: 'mine', text, note };
  };

  const openKnown = (id: string): Opened => {
    const { text, entry } = library.read(id);
    return { kind: 'experiment', id: entry.id, origin: entry.origin, text, note: null };
  };

  const openOther = async (path: string): Promise<Opened> => {
    const name = basename(path, extname(path)).slice(0, 100);
    const draft = kindOfFile(path) === 'sql' ? await draftOfScript(name, path) : draftOfValues(name, path);
    if (!draft)
      throw new DynoError('badInput', `There is nothing in ${basename(path)} that an experiment could use.`, {
        hint: 'A script needs a statement; a CSV file a line of names and rows of values.',
      });
    trust.noteForeign(readYaml(draft.text), null, path);
    const { text, note } = draft;
    return { kind: 'experiment', id: null, origin: 'mine', text, note, first: 'workload' };
  };

  /** The user is asked about a script without signs of a product that several products would read differently. */
  const draftOfScript = async (name: string, path: string): Promise<FileDraft | null> => {
    const script = readText(path, 'a script');
    const draft = await scripts.ofFile(name, script, null);
    if (!draft || draft.otherwise.length === 0) return draft;
    const choice = await ask(
      basename(path),
      dialects.map(({ label }) => label),
    );
    return choice === null ? draft : scripts.ofFile(name, script, dialects[choice]?.id ?? null);
  };

  const draftOfValues = (name: string, path: string): FileDraft | null => {
    const bytes = readGiven(path, mostCsvBytes, 'a list of values', basename(path));
    const target = placeForValues(home.experiments, path, bytes);
    const draft = draftOfCsv(name, basename(target), decodeText(bytes));
    if (draft && !existsSync(target)) writeAtomically(target, bytes);
    return draft;
  };

  const isOwn = (path: string): boolean => idIn(home, path) !== null || dirname(path) === home.runs;

  return { openLink, openFile };
}

const readText = (path: string, what: string): string =>
  decodeText(readGiven(path, maxTextLength, what, basename(path)));

/** The id of a file in the library or the gallery; null for any other file. */
function idIn(home: Home, path: string): string | null {
  const [, name] = /^(.+)\.dyno\.yaml$/.exec(basename(path)) ?? [];
  if (name === undefined || !existsSync(path)) return null;
  const folder = realpathSync(dirname(path));
  const origin = Object.entries({ mine: home.experiments, gallery: galleryFolder }).find(
    ([, one]) => existsSync(one) && realpathSync(one) === folder,
  )?.[0];
  return origin === undefined ? null : `${origin}:${name}`;
}

/** The place of the values beside the experiments, so that equal values are not copied twice. */
function placeForValues(folder: string, path: string, bytes: Buffer): string {
  const plain = basename(path).replaceAll(/[^\w. -]+/g, '-');
  const same = join(folder, plain);
  return existsSync(same) && readFileSync(same).equals(bytes) ? same : freeName(same);
}
