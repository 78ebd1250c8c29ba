import { useMemo, useState } from 'react';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { many } from '#model/format/plural.ts';
import { isMapping } from '#model/is-mapping.ts';
import { useScriptDraft } from '../../state/use-script-draft.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/fields.tsx';
import { type NumberEntry, NumberField, numberProblem } from '../../ui/controls/number-field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';

/** Tables as the file writes them, by name. */
type Tables = Readonly<Record<string, unknown>>;

interface Props {
  /** The reason why these tables cannot be taken; null if they can. */
  readonly lackOf: (tables: Tables) => string | null;
  readonly onTake: (tables: Tables) => void;
}

const usualRows = 10_000;
const rowRules = { whole: true, min: 1, max: 10_000_000 } as const;

const list = new Intl.ListFormat('en', { type: 'conjunction' });
const columnsOf = (table: unknown): number =>
  isMapping(table) && isMapping(table.columns) ? Object.keys(table.columns).length : 0;

/** The tables in the text of an experiment. */
function tablesIn(text: string): Tables {
  const { value } = readYaml(text);
  return isMapping(value) && isMapping(value.tables) ? value.tables : {};
}

const Paste = ({ lackOf, onTake, onClose }: Props & { readonly onClose: () => void }) => {
  const [script, setScript] = useState('');
  const [rows, setRows] = useState<NumberEntry>(usualRows);
  const hasRows = typeof rows === 'number' && numberProblem(rows, rowRules) === null;
  const read = useScriptDraft(script, null, hasRows ? rows : usualRows);
  const current = read?.isCurrent ? read : null;
  const tables = useMemo(() => (current?.draft ? tablesIn(current.draft.text) : {}), [current?.draft]);
  const names = Object.keys(tables);
  const problem =
    current === null
      ? null
      : (current.problem ?? (names.length === 0 ? 'Dyno finds no CREATE TABLE here.' : lackOf(tables)));
  return (
    <>
      <div className="dialog-body sql-field">
        <TextField
          label="CREATE TABLE statements"
          help="Dyno reads columns, keys, indexes, foreign keys, and the lists of CHECK … IN and ENUM. It makes the rows itself."
          multiline
          autoFocus
          value={script}
          problem={problem ?? undefined}
          onChange={setScript}
        />
        <NumberField label="Rows in each table" {...rowRules} required value={rows} onChange={setRows} />
        {names.length > 0 && (
          <div aria-live="polite">
            <p>{`Found ${list.format(names.map((name) => `${name} (${many(columnsOf(tables[name]), 'column')})`))}.`}</p>
            <ul className="muted">
              {current?.draft?.told.map((sentence) => (
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
          isDisabled={names.length === 0 || problem !== null || !hasRows}
          onPress={() => {
            onTake(tables);
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
