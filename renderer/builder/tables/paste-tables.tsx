import { useEffect, useState } from 'react';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { toErrorData } from '#model/error.ts';
import { many } from '#model/format/plural.ts';
import { isMapping } from '#model/is-mapping.ts';
import { request } from '../../state/bridge.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/fields.tsx';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { errorText } from '../../ui/text/error-text.ts';

/** Tables as the file writes them, by name. */
type Tables = Readonly<Record<string, unknown>>;

interface Read {
  readonly script: string;
  readonly tables: Tables;
  /** Sentences about the differences from the script, each beginning with its line. */
  readonly told: readonly string[];
  readonly problem: string | null;
}

interface Props {
  /** The reason why these tables cannot be taken; null if they can. */
  readonly lackOf: (tables: Tables) => string | null;
  readonly onTake: (tables: Tables) => void;
}

const typingPauseMs = 250;
const usualRows = 10_000;

const list = new Intl.ListFormat('en', { type: 'conjunction' });
const columnsOf = (table: unknown): number =>
  isMapping(table) && isMapping(table.columns) ? Object.keys(table.columns).length : 0;

async function tablesOfScript(script: string, rows: number): Promise<Read> {
  try {
    const { draft } = await request('statements:draft', { script, engine: null, rows });
    const value = draft === null ? null : readYaml(draft.text).value;
    const tables = isMapping(value) && isMapping(value.tables) ? value.tables : {};
    const problem = Object.keys(tables).length === 0 ? 'Dyno finds no CREATE TABLE here.' : null;
    return { script, tables, told: draft?.told ?? [], problem };
  } catch (thrown) {
    return { script, tables: {}, told: [], problem: errorText(toErrorData(thrown)) };
  }
}

const Paste = ({ lackOf, onTake, onClose }: Props & { readonly onClose: () => void }) => {
  const [script, setScript] = useState('');
  const [rows, setRows] = useState<number | string>(usualRows);
  const [read, setRead] = useState<Read | null>(null);
  const count = typeof rows === 'number' ? rows : usualRows;
  useEffect(() => {
    if (script.trim() === '') return;
    let isLatest = true;
    const timer = setTimeout(
      () => void tablesOfScript(script, count).then((found) => isLatest && setRead(found)),
      typingPauseMs,
    );
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [script, count]);
  const current = script.trim() !== '' && read?.script === script ? read : null;
  const names = Object.keys(current?.tables ?? {});
  const lack = current === null || names.length === 0 ? null : lackOf(current.tables);
  return (
    <>
      <div className="dialog-body paste-tables">
        <TextField
          label="CREATE TABLE statements"
          help="Dyno reads columns, keys, indexes, foreign keys, and the lists of CHECK … IN and ENUM. It makes the rows itself."
          multiline
          autoFocus
          value={script}
          problem={current?.problem ?? lack ?? undefined}
          onChange={setScript}
        />
        <NumberField
          label="Rows in each table"
          whole
          required
          min={1}
          max={10_000_000}
          value={rows}
          onChange={(value) => setRows(value ?? '')}
        />
        {current !== null && names.length > 0 && (
          <div aria-live="polite">
            <p>{`Found ${list.format(names.map((name) => `${name} (${many(columnsOf(current.tables[name]), 'column')})`))}.`}</p>
            <ul className="muted">
              {current.told.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </div>
        )}
      </div>
      <div className="dialog-actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button
          kind="primary"
          isDisabled={current === null || names.length === 0 || lack !== null || typeof rows !== 'number'}
          onPress={() => {
            if (current !== null) onTake(current.tables);
            onClose();
          }}
        >
          {names.length > 1 ? `Use ${many(names.length, 'table')}` : 'Use the table'}
        </Button>
      </div>
    </>
  );
};

/** A button for a dialog that turns pasted CREATE TABLE statements into tables of the experiment. */
export const PasteTables = (props: Props) => {
  const [isOpen, setOpen] = useState(false);
  const onClose = () => setOpen(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>Paste CREATE TABLE…</Button>
      <Dialog title="Paste CREATE TABLE" open={isOpen} wide onClose={onClose}>
        <Paste {...props} onClose={onClose} />
      </Dialog>
    </>
  );
};
