import { many } from '#model/format/plural.ts';
import type { CleanReport } from '#protocol/ipc.ts';
import { attempt, request } from '../state/bridge.ts';
import { withAnswers } from '../state/passwords.ts';
import { createStore, useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { showToast } from '../ui/overlays/toast.tsx';

interface Subject {
  readonly id: string;
  readonly name: string;
}

/** The tables found at a connection's server; null if no dialog is open. */
const found = createStore<{ readonly of: Subject; readonly report: CleanReport } | null>(null);

const ask = (of: Subject, drops: boolean) =>
  attempt(`Could not clean up at “${of.name}”`, () =>
    withAnswers((answers) => request('connections:clean', { id: of.id, drops, ...answers })),
  );

/** Lists what Dyno has left at a connection's server; the dialog drops it. */
export async function cleanUp({ id, name }: Subject): Promise<void> {
  const listed = await ask({ id, name }, false);
  if (listed) found.set({ of: { id, name }, report: listed.report });
}

async function drop(of: Subject): Promise<void> {
  found.set(null);
  const done = await ask(of, true);
  if (done) showToast({ tone: 'info', title: `${many(done.report.dropped.length, 'table')} dropped at “${of.name}”` });
}

/** The tables that Dyno left at a server, and what drops them. */
export const CleanDialog = () => {
  const shown = useStore(found);
  if (!shown) return null;
  const { of, report } = shown;
  const free = report.tables.filter(({ inUse }) => inUse === null);
  return (
    <Dialog title={`What Dyno left at ${of.name}`} open onClose={() => found.set(null)}>
      <div className="dialog-body">
        {report.tables.length === 0 ? (
          <p>{`There is no table with Dyno’s mark at ${report.address}.`}</p>
        ) : (
          <>
            <p>{`Tables with Dyno’s mark at ${report.address}. No others are touched.`}</p>
            <ul>
              {report.tables.map(({ name, inUse }) => (
                <li key={name}>
                  <span className="mono">{name}</span>
                  {inUse !== null && <span className="muted"> {`stays: ${inUse}`}</span>}
                </li>
              ))}
            </ul>
          </>
        )}
        <div className="dialog-actions">
          <Button onPress={() => found.set(null)}>{free.length === 0 ? 'Close' : 'Cancel'}</Button>
          {free.length > 0 && (
            <Button kind="primary" onPress={() => void drop(of)}>
              {`Drop ${many(free.length, 'table')}`}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
};
