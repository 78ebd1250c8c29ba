import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { runStateText } from '#analysis/text/run-state-text.ts';
import { formatRate } from '#model/format/format.ts';
import type { RunEntry } from '#protocol/ipc.ts';
import { openExperiment } from '../../library/library-actions.ts';
import { library } from '../../library/library-store.ts';
import { goTo } from '../../state/navigation.ts';
import { useStore } from '../../state/store.ts';
import { formatMoment } from '../../ui/text/format-moment.ts';
import { chooseFile, recentFiles, reopenFile } from '../opened-things.ts';

const shown = 5;

interface Item {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly at: string;
  readonly open: () => void;
}

const List = ({
  title,
  items,
  empty,
  more,
}: {
  readonly title: string;
  readonly items: readonly Item[];
  readonly empty: ReactNode;
  /** The content below the items. */
  readonly more?: ReactNode;
}) => (
  <section aria-label={title}>
    <h2 className="section-title">{title}</h2>
    <div className="panel">
      {items.length === 0 ? (
        <p className="library-empty">{empty}</p>
      ) : (
        <>
          <ul>
            {items.slice(0, shown).map(({ id, name, about, at, open }) => (
              <li key={id} className="home-recent">
                <AriaButton className="link" onPress={open}>
                  {name}
                </AriaButton>
                <span className="faint home-recent-about">
                  <span>{about}</span> <time dateTime={at}>{at ? formatMoment(at) : ''}</time>
                </span>
              </li>
            ))}
          </ul>
          {more}
        </>
      )}
    </div>
  </section>
);

/** The highest rate of a run, with a warning if it is not to be quoted; or how far the run came. */
function aboutRun(run: RunEntry): string {
  const [fastest] = run.cells;
  if (fastest === undefined || run.comparison === 'none' || run.status !== 'complete') return runStateText(run);
  const rate = formatRate(fastest.value, fastest.unit, fastest.digits);
  return run.grade?.level === 'doNotQuote' ? `${rate}, do not quote` : rate;
}

const fileKinds = {
  experiment: 'Experiment',
  run: 'Run',
  sql: 'SQL script',
  csv: 'Values',
} as const;

/** The runs, experiments and files that were used last. */
export const Recent = ({ entries }: { readonly entries: readonly RunEntry[] }) => {
  const files = useStore(recentFiles);
  const mine = (useStore(library) ?? [])
    .filter(({ origin }) => origin === 'mine')
    .toSorted((a, b) => b.modifiedAt.localeCompare(a.modifiedAt));
  return (
    <div className="home-columns">
      <List
        title="Recent runs"
        empty="Your runs appear here."
        items={entries.map((run) => ({
          id: run.id,
          name: run.name,
          about: aboutRun(run),
          at: run.startedAt,
          open: () => goTo({ page: 'run', runId: run.id }),
        }))}
      />
      <List
        title="My experiments"
        empty="Experiments that you save appear here."
        items={mine.map((entry) => ({
          id: entry.id,
          name: entry.name,
          about: 'Changed',
          at: entry.modifiedAt,
          open: () => void openExperiment(entry),
        }))}
      />
      <List
        title="Recent files"
        empty={
          <>
            {'Drop an experiment, a run, an SQL script or a CSV file anywhere onto the window, or'}{' '}
            <AriaButton className="link" onPress={() => void chooseFile()}>
              choose one
            </AriaButton>
            .
          </>
        }
        items={files.map((file) => ({
          id: file.id,
          name: file.name,
          about: fileKinds[file.kind],
          at: file.openedAt,
          open: () => void reopenFile(file),
        }))}
        more={
          <p className="home-recent-more">
            <AriaButton className="link" onPress={() => void chooseFile()}>
              Open another file…
            </AriaButton>
          </p>
        }
      />
    </div>
  );
};
