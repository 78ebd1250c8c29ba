import { useMemo, useState } from 'react';
import { allTables } from '#contract/tables.ts';
import { appInfo } from '../../shell/app-info.ts';
import { useStore } from '../../store.ts';
import { Button } from '../../ui/button.tsx';
import { NumberField } from '../../ui/fields.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { draft } from '../draft-store.ts';
import { edit } from '../form/edit.ts';
import { isRecord, numberOf, type Raw, recordAt } from '../form/form-model.ts';
import { ParametersTable } from './parameters-table.tsx';
import { StatementEditor } from './statement-editor.tsx';
import { variantsOf, withVariant } from './text-variants.ts';
import { readTables, tries } from './try-store.ts';

const noTables: readonly never[] = [];

/** One statement: its texts, what its parameters are drawn from, how often it runs and what it has to touch. */
export const StatementFields = ({ name, value }: { readonly name: string; readonly value: Raw }) => {
  const engines = useStore(appInfo)?.engines ?? noTables;
  const targets = useStore(draft)?.checked?.plan?.targets ?? noTables;
  const experiment = useStore(draft)?.checked?.plan?.experiment;
  const places = useMemo(() => (experiment ? Object.keys(allTables(experiment)) : noTables), [experiment]);
  const { tables, busy } = useStore(tries);
  const [key, setKey] = useState('default');
  const variants = variantsOf(value.text, targets, engines);
  const shown = variants.find((one) => one.key === key) ?? variants[0]!;
  const target = targets.find((one) => one.name === shown.key || one.engine === shown.engine?.id);
  const path = ['statements', name];
  const expected = value.expectRows;
  const bounds = isRecord(expected) ? expected : { min: expected, max: expected };
  const setBounds = (next: Raw) => {
    const { min, max } = { ...bounds, ...next };
    const both =
      min === undefined && max === undefined
        ? undefined
        : min === max
          ? min
          : { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
    edit([...path, 'expectRows'], both);
  };
  return (
    <div className="statement">
      <div className="row statement-tools">
        {variants.length > 1 && (
          <Segmented
            label={`Text of ${name} for`}
            choices={variants.map((one) => ({
              id: one.key,
              label: one.text === '' ? `${one.label} (as All)` : one.label,
            }))}
            value={shown.key}
            onChange={setKey}
          />
        )}
        {target && shown.engine?.statements?.language === 'sql' && (
          <Button kind="quiet" isDisabled={busy !== null} onPress={() => void readTables(target.name)}>
            {tables[target.name]
              ? `${tables[target.name]!.length} tables of ${target.name} known`
              : `Read tables of ${target.name} for completion`}
          </Button>
        )}
      </div>
      <StatementEditor
        key={`${name} ${shown.key}`}
        label={`Text of ${name}, ${shown.label}`}
        text={shown.text}
        language={shown.engine?.statements}
        tables={target ? (tables[target.name] ?? noTables) : noTables}
        places={places}
        onChange={(text) => edit([...path, 'text'], withVariant(value.text, shown.key, text))}
      />
      <ParametersTable path={[...path, 'parameters']} parameters={recordAt(value, ['parameters'])} owner={name} />
      <div className="form-grid">
        <NumberField
          label="Weight"
          help="How often it runs beside the others."
          min={0}
          placeholder="1"
          value={numberOf(value.weight)}
          onChange={(weight) => edit([...path, 'weight'], weight ?? undefined)}
        />
        <NumberField
          label="Fewest rows"
          help="Touched each time; others are errors."
          min={0}
          placeholder="any"
          value={numberOf(bounds.min)}
          onChange={(min) => setBounds({ min: min ?? undefined })}
        />
        <NumberField
          label="Most rows"
          min={0}
          placeholder="any"
          value={numberOf(bounds.max)}
          onChange={(max) => setBounds({ max: max ?? undefined })}
        />
      </div>
      <Button kind="quiet" icon="trash" onPress={() => edit(path, undefined)}>
        Remove statement
      </Button>
    </div>
  );
};
