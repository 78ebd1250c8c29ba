/** What a run of an experiment from elsewhere would do, for the user to judge before its first run. */
export interface ForeignWork {
  /** The experiment's name. */
  readonly name: string;
  /** Where it connects to, one line a target, as the file writes it: secrets are not in it. */
  readonly targets: readonly string[];
  /** Load hosts of the user's that it drives load from. */
  readonly loadHosts: readonly string[];
  /** Tables that Dyno makes, fills and drops, with their rows. */
  readonly tables: readonly string[];
  /** Texts of the file that change data, or may. */
  readonly writes: readonly { readonly name: string; readonly text: string }[];
  /** Names of the texts that only read. */
  readonly reads: readonly string[];
  /** Files that it reads, relative to its folder. */
  readonly files: readonly string[];
  /** Environment variables whose values it sends to its targets. */
  readonly variables: readonly string[];
}

interface WorkPart {
  readonly title: string;
  readonly lines: readonly string[];
}

/** The same in words, without what there is nothing of. */
export const foreignWorkParts = (work: ForeignWork): readonly WorkPart[] =>
  [
    { title: 'It connects to:', lines: work.targets },
    { title: 'It has your load hosts drive load:', lines: work.loadHosts },
    { title: 'It sends them the values of environment variables:', lines: work.variables },
    { title: 'Dyno makes, fills and drops tables there:', lines: work.tables },
    {
      title: 'It runs statements that change data, or may:',
      lines: work.writes.map(({ name, text }) => `${name}: ${text}`),
    },
    { title: 'It runs statements that only read:', lines: work.reads },
    { title: 'It reads files beside it:', lines: work.files },
  ].filter(({ lines }) => lines.length > 0);

/** As lines of text: a title, then what belongs to it, indented. */
export const foreignWorkLines = (work: ForeignWork): readonly string[] =>
  foreignWorkParts(work).flatMap(({ title, lines }) => [title, ...lines.map((line) => `  ${line}`)]);
