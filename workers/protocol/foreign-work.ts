import { oneLine, printable } from '#model/text/printable.ts';

/** A text of the file under its name, whole. */
interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** The file that a text came from, and when Dyno read it first, as an ISO timestamp. */
export interface Origin {
  /** A path; for the page of the window, which sees no paths, the name of the file alone. */
  readonly file: string;
  readonly at: string;
}

/** An origin as a phrase. */
export const originText = ({ file, at }: Origin): string => `${oneLine(file)}, on ${at.slice(0, 10)}`;

/** The effects of running an experiment from elsewhere, for the user to judge before its first run. */
export interface ForeignWork {
  /** The experiment's name. */
  readonly name: string;
  /** The file that it came from. Absent: nobody noted it. */
  readonly origin?: Origin;
  /** The targets that it connects to, one line each, as the file writes them, without secrets. */
  readonly targets: readonly string[];
  /** Load hosts of the user's that it drives load from. */
  readonly loadHosts: readonly string[];
  /** Settings that its sessions make at their servers, one line each. */
  readonly sessions: readonly string[];
  /** Parameters with which it has Dyno start servers, one line each. */
  readonly servers: readonly string[];
  /** Tables that Dyno makes, fills and drops, with their rows. */
  readonly tables: readonly string[];
  /** Texts of the file that change data, or may. */
  readonly writes: readonly NamedText[];
  /** Texts that seem to only read. */
  readonly reads: readonly NamedText[];
  /** The rows of the user's tables that its run file keeps, as sentences. */
  readonly keeps: readonly string[];
  /** Files that it reads, relative to its folder. */
  readonly files: readonly string[];
  /** Environment variables whose values it sends to its targets. */
  readonly variables: readonly string[];
  /** The uses of this machine by its targets, one line for each field: files, libraries, and logins as this machine. */
  readonly uses: readonly string[];
}

interface WorkPart {
  readonly title: string;
  /** Names and values of the file, each on one line; a text of the file keeps its lines. */
  readonly items: readonly { readonly line: string; readonly text: string | null }[];
}

/** The work of an experiment in words, without empty parts. */
export const foreignWorkParts = (work: ForeignWork): readonly WorkPart[] =>
  [
    { title: 'It came from:', items: work.origin ? [lineOf(originText(work.origin))] : [] },
    { title: 'It connects to:', items: work.targets.map(lineOf) },
    { title: 'It has your load hosts drive load:', items: work.loadHosts.map(lineOf) },
    { title: 'It sends them the values of environment variables:', items: work.variables.map(lineOf) },
    { title: 'It uses files, libraries or logins of this machine:', items: work.uses.map(lineOf) },
    { title: 'Its sessions make settings for themselves:', items: work.sessions.map(lineOf) },
    { title: 'Dyno starts servers of this run with these parameters:', items: work.servers.map(lineOf) },
    { title: 'Dyno makes, fills and drops tables there:', items: work.tables.map(lineOf) },
    { title: 'It runs statements that change data, or may:', items: work.writes.map(textOf) },
    { title: 'It runs statements that seem to only read:', items: work.reads.map(textOf) },
    { title: 'Its run file keeps contents of your tables:', items: work.keeps.map(lineOf) },
    { title: 'It reads files beside it:', items: work.files.map(lineOf) },
  ].filter(({ items }) => items.length > 0);

const lineOf = (line: string) => ({ line: oneLine(line), text: null });
const textOf = ({ name, text }: NamedText) => ({
  line: oneLine(name),
  text: printable(text.replaceAll('\r\n', '\n')).trim(),
});

/**
 * The work as lines of text: a title, then its items, indented. Lines of the file’s own texts have a bar before them.
 */
export const foreignWorkLines = (work: ForeignWork): readonly string[] =>
  foreignWorkParts(work).flatMap(({ title, items }) => [
    title,
    ...items.flatMap(({ line, text }) => [`  ${line}`, ...(text === null ? [] : barred(text))]),
  ]);

const barred = (text: string): readonly string[] =>
  text.split(/[\n\v\f\r\u0085\u2028\u2029]+/).map((line) => `    | ${line}`);
