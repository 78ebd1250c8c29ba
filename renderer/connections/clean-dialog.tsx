import { many } from '#model/format/plural.ts';
import type { CleanReport } from '#protocol/ipc.ts';
import { attempt, request } from '../state/bridge.ts';
import { withAnswers } from '../state/passwords.ts';
import { createStore, useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { Checkbox } from '../ui/controls/fields.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { showToast } from '../ui/overlays/toast.tsx';

interface Subject {
  readonly id: string;
  readonly name: string;
}

interface Found {
  readonly of: Subject;
  readonly report: CleanReport;
  /** True to also drop tables of runs that may still be active elsewhere. */
  readonly dropsUnsure: boolean;
}

/** The tables and changed parameters that Dyno found on a connection's server. Null if the dialog is closed. */
const found = createStore<Found | null>(null);

const ask = (of: Subject, drops: boolean, dropsUnsure: boolean) =>
  attempt(`Could not clean up on “${of.name}”`, () =>
    withAnswers((answers) => request('connections:clean', { id: of.id, drops, dropsUnsure, ...answers })),
  );

/** Lists the tables and changed parameters that Dyno left on a connection's server. The dialog undoes them. */
export async function cleanUp({ id, name }: Subject): Promise<void> {
  const listed = await ask({ id, name }, false, false);
  if (listed) found.set({ of: { id, name }, report: listed.report, dropsUnsure: false });
}

/** Drops the tables and gives the parameters back. The dialog then shows the remaining tables with the reason. */
async function drop({ of, report: before, dropsUnsure }: Found): Promise<void> {
  found.set(null);
  const done = await ask(of, true, dropsUnsure);
  if (!done) return;
  const { dropped, tables } = done.report;
  const told = [
    ...(before.tables.length > 0 ? [`${many(dropped.length, 'table')} dropped on “${of.name}”`] : []),
    ...done.report.parameters,
  ];
  showToast({ tone: 'info', title: told.join('. ') });
  const kept = tables.filter(({ name }) => !dropped.includes(name));
  const isNews = kept.some(({ name, inUse }) => before.tables.some((one) => one.name === name && one.inUse !== inUse));
  if (isNews) found.set({ of, report: { ...done.report, tables: kept }, dropsUnsure: false });
}

function actionText(tables: number, parameters: number): string {
  const drop = `Drop ${many(tables, 'table')}`;
  if (parameters === 0) return drop;
  return tables === 0 ? 'Give the parameters back' : `${drop} and give the parameters back`;
}

/** The tables and changed parameters that Dyno left on a server, and the button that undoes them. */
export const CleanDialog = () => {
  const shown = useStore(found);
  if (!shown) return null;
  const { of, report, dropsUnsure } = shown;
  const unsure = report.tables.filter(({ isUnsure }) => isUnsure);
  const free = report.tables.filter(({ inUse, isUnsure }) => inUse === null || (isUnsure && dropsUnsure));
  const hasWork = free.length > 0 || report.parameters.length > 0;
  return (
    <Dialog title={`Clean up on ${of.name}`} open onClose={() => found.set(null)}>
      <div className="dialog-body">
        {report.tables.length === 0 ? (
          <p>{`There are no tables with Dyno’s mark on ${report.address}.`}</p>
        ) : (
          <>
            <p>{`These tables on ${report.address} have Dyno’s mark. Dyno does not touch other tables.`}</p>
            <ul>
              {report.tables.map(({ name, inUse }) => (
                <li key={name}>
                  <span className="mono">{name}</span>
                  {inUse !== null && <span className="muted"> {`stays: ${inUse}`}</span>}
                </li>
              ))}
            </ul>
            {unsure.length > 0 && (
              <Checkbox
                label={`Also drop ${many(unsure.length, 'table')} whose run may still be active elsewhere`}
                checked={dropsUnsure}
                onChange={(checked) => found.set({ ...shown, dropsUnsure: checked })}
              />
            )}
          </>
        )}
        {report.parameters.map((text) => (
          <p key={text}>{text}</p>
        ))}
        <div className="dialog-actions">
          <Button onPress={() => found.set(null)}>{hasWork ? 'Cancel' : 'Close'}</Button>
          {hasWork && (
            <Button kind="primary" onPress={() => void drop(shown)}>
              {actionText(free.length, report.parameters.length)}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
};
