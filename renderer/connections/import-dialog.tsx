import { useState } from 'react';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { ImportEntry, ImportList } from '#model/connections.ts';
import { appInfo } from '../state/app-info.ts';
import { attempt, request } from '../state/bridge.ts';
import { connections } from '../state/connections.ts';
import { createStore, once, useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { Checkbox } from '../ui/controls/fields.tsx';
import { Notice } from '../ui/display/notice.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { showToast } from '../ui/overlays/toast.tsx';

/** The list of found connections, while the dialog is open. */
const shown = createStore<ImportList | null>(null);
const busy = createStore(false);

/** Opens the dialog with connections that other programs store on this machine. */
export const importConnections = (): Promise<void> => find('usual');

async function find(where: 'usual' | 'file'): Promise<void> {
  const list = await once(busy, () =>
    attempt('Could not look for connections', () => request('connections:findImports', { where })),
  );
  if (list) shown.set(list);
}

function close(): void {
  shown.set(null);
  void request('connections:forgetImports', null);
}

const countOf = (count: number): string => `${count} connection${count === 1 ? '' : 's'}`;

/** The key of an entry: its file and its position in it. */
interface Place {
  readonly file: number;
  readonly entry: number;
}
const keyOf = ({ file, entry }: Place): string => `${file} ${entry}`;
/** True if the entry is ticked by default. Entries that use this machine are not. */
const isNew = ({ problem, sameAs, uses }: ImportEntry): boolean =>
  problem === null && sameAs === null && uses.length === 0;

async function save(list: ImportList, picked: readonly Place[], keepPasswords: boolean): Promise<void> {
  const saved = await once(busy, () =>
    attempt('Could not import the connections', () =>
      request('connections:import', { importId: list.importId, picked, keepPasswords }),
    ),
  );
  if (!saved) return;
  shown.set(null);
  showToast({ tone: 'info', title: `Imported ${countOf(saved.names.length)}` });
}

interface RowProps {
  readonly entry: ImportEntry;
  readonly engines: readonly EngineDescriptor[];
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

const Row = ({ entry, engines, checked, onChange }: RowProps) => {
  const { name, engine, address, passwords, problem, sameAs, missing, notes, uses, production } = entry;
  const remarks = [
    ...(sameAs === null ? [] : [`It has the same server and user as “${sameAs}”.`]),
    ...(missing === null ? [] : [`Complete these fields after the import: ${missing}`]),
    ...notes,
  ];
  return (
    <tr>
      <td>
        <Checkbox label="" name={`Import ${name}`} checked={checked} disabled={problem !== null} onChange={onChange} />
      </td>
      <th scope="row">
        {name} {production && <span className="production-badge">Production</span>}
      </th>
      <td>
        <div>{engines.find(({ id }) => id === engine)?.label ?? engine ?? ''}</div>
        <div className="connection-address">{address ?? ''}</div>
        {problem !== null && <div className="help-problem">{`Cannot be imported: ${problem}`}</div>}
        {uses.map((text) => (
          <div key={text} className="help-problem">
            {`It uses this machine: ${text}.`}
          </div>
        ))}
        {remarks.map((text) => (
          <div key={text} className="faint">
            {text}
          </div>
        ))}
      </td>
      <td className="muted">{passwords.join(', ')}</td>
    </tr>
  );
};

const Shown = ({ list }: { readonly list: ImportList }) => {
  const engines = useStore(appInfo)?.engines ?? [];
  const cannotStore = useStore(connections)?.cannotStore ?? null;
  const isBusy = useStore(busy);
  const all = list.files.flatMap(({ entries }, file) => entries.map((one, entry) => ({ file, entry, one })));
  const [ticked, setTicked] = useState<ReadonlySet<string>>(
    () => new Set(all.filter(({ one }) => isNew(one)).map(keyOf)),
  );
  const [keep, setKeep] = useState(false);
  const picked = all.filter((one) => ticked.has(keyOf(one)));
  const withPassword = picked.filter(({ one }) => one.passwords.length > 0).length;
  const tick = (key: string, on: boolean) =>
    setTicked((now) => new Set(on ? [...now, key] : [...now].filter((one) => one !== key)));
  return (
    <Dialog title="Import connections" open wide onClose={close}>
      <div className="dialog-body">
        {all.length === 0 && (
          <p className="muted">
            No connections of other programs were found. Dyno looked for PostgreSQL’s service and password files,
            MySQL’s option files, tnsnames.ora, odbc.ini, DBeaver and Azure Data Studio. Choose such a file, an export
            of Beekeeper Studio, or a text with connection URLs.
          </p>
        )}
        {list.problems.length > 0 && (
          <Notice tone="warning" title="Some files cannot be read">
            {list.problems.join(' ')}
          </Notice>
        )}
        {list.files.map(({ label, file, entries }, at) => (
          <section key={`${label} ${file} ${entries[0]?.name}`} aria-label={`${label}, ${file}`}>
            <h3 className="section-title">
              {label} <span className="faint">{file}</span>
            </h3>
            <table className="grid-table import-table" aria-label={`Connections in ${file}`}>
              <thead>
                <tr>
                  <th scope="col">
                    <span className="visually-hidden">Import</span>
                  </th>
                  <th scope="col">Name</th>
                  <th scope="col">Server</th>
                  <th scope="col">In the file</th>
                </tr>
              </thead>
              <tbody>
                {entries.map((entry, index) => {
                  const key = keyOf({ file: at, entry: index });
                  return (
                    <Row
                      key={key}
                      entry={entry}
                      engines={engines}
                      checked={ticked.has(key)}
                      onChange={(on) => tick(key, on)}
                    />
                  );
                })}
              </tbody>
            </table>
          </section>
        ))}
        {withPassword > 0 && (
          <div>
            <Checkbox
              label={`Keep the passwords of ${countOf(withPassword)} too, encrypted by the system`}
              checked={keep && cannotStore === null}
              disabled={cannotStore !== null}
              onChange={setKeep}
            />
            <p className="help">
              {cannotStore ?? 'Otherwise Dyno asks for the passwords when a run or a test starts.'}
            </p>
          </div>
        )}
        <div className="dialog-actions">
          <Button isDisabled={isBusy} onPress={() => void find('file')}>
            Choose a file…
          </Button>
          <Button onPress={close}>Cancel</Button>
          <Button
            kind="primary"
            isDisabled={isBusy || picked.length === 0}
            onPress={() =>
              void save(
                list,
                picked.map(({ file, entry }) => ({ file, entry })),
                keep && cannotStore === null,
              )
            }
          >
            {picked.length === 0 ? 'Import' : `Import ${countOf(picked.length)}`}
          </Button>
        </div>
      </div>
    </Dialog>
  );
};

export const ImportDialog = () => {
  const list = useStore(shown);
  return list && <Shown key={list.importId} list={list} />;
};
