import type { TriedItem } from '#model/statements/statements.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ProgressBar } from '../../ui/display/progress-bar.tsx';
import { draft } from '../draft/draft-store.ts';
import { TryResults } from './try-results.tsx';
import { stopTrying, tries, tryItem } from './try-store.ts';

const words: Readonly<Record<TriedItem['kind'], (name: string) => string>> = {
  statement: (name) => `Runs ${name} once on each target and rolls back its changes. It does not load the servers.`,
  check: (name) =>
    `Runs the check ${name} once on each target, on freshly loaded tables. It does not load the servers.`,
};

/** A button that tries a statement, transaction or check, and the reports of the trial. */
export const TryLine = ({ kind, name }: TriedItem) => {
  const { busy, item, reports } = useStore(tries);
  const now = useStore(draft);
  const isChecked = now !== null && now.checkedText === now.text;
  const lack = !isChecked
    ? 'Dyno checks the file…'
    : now.checked?.plan == null
      ? 'Try once needs a file without errors: see Problems.'
      : busy === 'tables' || (busy === 'try' && !(item?.kind === kind && item.name === name))
        ? 'Dyno is busy with another request.'
        : null;
  const isTried = item?.kind === kind && item.name === name;
  return (
    <div className="try-line">
      <div className="row">
        <Button icon="play" isDisabled={lack !== null || busy !== null} onPress={() => void tryItem({ kind, name })}>
          Try once
        </Button>
        <span className="faint">{lack ?? words[kind](name)}</span>
      </div>
      {busy === 'try' && isTried && (
        <div className="row">
          <ProgressBar label={`Trying ${name}`} fraction={null} />
          <Button kind="quiet" onPress={stopTrying}>
            Stop
          </Button>
        </div>
      )}
      {isTried && reports.length > 0 && <TryResults reports={reports} />}
    </div>
  );
};
