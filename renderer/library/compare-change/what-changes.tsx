import type { EngineOption } from '#engine-api/option.ts';
import { keysOf } from '#model/keys-of.ts';
import { Select, TextField } from '../../ui/controls/fields.tsx';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { SqlText } from '../test-sql/sql-text.tsx';
import { StepTitle } from '../test-sql/step-title.tsx';
import { type ChangeKind, changeKinds, type TypedChange } from './change-file.ts';

interface Props {
  readonly change: TypedChange;
  readonly onChange: (change: TypedChange) => void;
  /** The names of the statements and tables as it is. */
  readonly statements: readonly string[];
  readonly tables: readonly string[];
  /** Other servers of the same engine. Null: no server is chosen. */
  /** The options of the chosen engine. */
  readonly options: readonly EngineOption[];
  readonly versions: readonly { readonly target: string; readonly label: string }[] | null;
  readonly after: string;
  readonly problem: string | undefined;
  readonly onAfter: (text: string) => void;
}

const choicesOf = (names: readonly string[]) => names.map((name) => ({ id: name, label: name }));

/** The third step: the changed SQL, or what else changes. */
export const WhatChanges = ({ change, onChange, after, problem, onAfter, ...known }: Props) => {
  const kinds = (
    <Select
      label="What changes"
      choices={keysOf(changeKinds).map((id) => ({ id, label: changeKinds[id] }))}
      value={change.kind}
      onChange={(kind) => onChange({ ...change, kind: kind as ChangeKind })}
    />
  );
  if (change.kind !== 'text')
    return (
      <section aria-label="Changed" className="compare-change">
        <StepTitle step={3} title="Changed" />
        <div className="compare-change-fields">
          {kinds}
          <Fields change={change} onChange={onChange} {...known} />
        </div>
      </section>
    );
  return (
    <section aria-label="Changed" className="compare-change sql-field">
      <SqlText
        step={3}
        title="Changed"
        label="Changed SQL"
        placeholder="SELECT * FROM orders o WHERE NOT EXISTS (SELECT 1 FROM customers c WHERE c.id = o.customer_id);"
        value={after}
        problem={problem}
        onChange={onAfter}
      >
        <div className="compare-change-fields">
          {kinds}
          {known.statements.length > 1 && (
            <Select
              label="A single text replaces"
              placeholder="the first of its kind"
              choices={choicesOf(known.statements)}
              value={change.statement}
              onChange={(statement) => onChange({ ...change, statement })}
            />
          )}
        </div>
      </SqlText>
    </section>
  );
};

/** The fields of a change that is no text. */
const Fields = ({
  change,
  onChange,
  tables,
  options,
  versions,
}: Pick<Props, 'change' | 'onChange' | 'tables' | 'options' | 'versions'>) => {
  const { index, session, parameter } = change;
  switch (change.kind) {
    case 'text':
      return null;
    case 'index':
      return (
        <>
          {tables.length > 0 && (
            <Select
              label="Table"
              choices={choicesOf(tables)}
              value={index.table ?? tables[0]!}
              onChange={(table) => onChange({ ...change, index: { ...index, table } })}
            />
          )}
          <TextField
            label="Columns"
            placeholder="store, sold"
            value={index.columns}
            onChange={(columns) => onChange({ ...change, index: { ...index, columns } })}
          />
          <TextField
            label="Included columns"
            placeholder="none"
            value={index.include}
            onChange={(include) => onChange({ ...change, index: { ...index, include } })}
          />
        </>
      );
    case 'fillFactor':
      return (
        <NumberField
          label="Fill factor, per cent"
          whole
          min={10}
          max={100}
          required
          value={change.fillFactor}
          onChange={(fillFactor) => onChange({ ...change, fillFactor })}
        />
      );
    case 'option':
      if (versions === null) return <p className="muted">Choose a server first.</p>;
      return (
        <OptionFields option={change.option} options={options} onChange={(option) => onChange({ ...change, option })} />
      );
    case 'session':
      return (
        <NameAndValue
          label="Setting"
          example={['work_mem', '64MB']}
          named={session}
          onChange={(own) => onChange({ ...change, session: own })}
        />
      );
    case 'parameter':
      return (
        <NameAndValue
          label="Parameter"
          example={['shared_buffers', '256MB']}
          named={parameter}
          onChange={(own) => onChange({ ...change, parameter: own })}
        />
      );
    case 'version':
      if (versions === null) return <p className="muted">Choose a server first.</p>;
      return versions.length === 0 ? (
        <p className="muted">
          Dyno knows no other server of this engine. Connect one, or install another version (Targets in the builder).
        </p>
      ) : (
        <Select
          label="The other server"
          choices={versions.map(({ target, label }) => ({ id: target, label }))}
          value={change.version}
          onChange={(version) => onChange({ ...change, version })}
        />
      );
  }
};

interface NameAndValueProps {
  readonly label: string;
  readonly example: readonly [name: string, value: string];
  readonly named: TypedChange['session'];
  readonly onChange: (named: TypedChange['session']) => void;
}

/** The name and the value of a setting of sessions, or of a parameter of servers. */
const NameAndValue = ({ label, example: [name, value], named, onChange }: NameAndValueProps) => (
  <>
    <TextField
      label={label}
      placeholder={name}
      value={named.name}
      onChange={(own) => onChange({ ...named, name: own })}
    />
    <TextField
      label="Value"
      placeholder={value}
      value={named.value}
      onChange={(own) => onChange({ ...named, value: own })}
    />
  </>
);

interface OptionProps {
  readonly option: TypedChange['option'];
  readonly options: readonly EngineOption[];
  readonly onChange: (option: TypedChange['option']) => void;
}

/** An option of the engine, and its value: one of a list, or typed. */
const OptionFields = ({ option: { name, value }, options, onChange }: OptionProps) => {
  const chosen = options.find((one) => one.name === name);
  const values = chosen?.choices ?? (typeof chosen?.defaultValue === 'boolean' ? ['true', 'false'] : null);
  return (
    <>
      <Select
        label="Option"
        choices={options.map((one) => ({ id: one.name, label: one.label }))}
        value={chosen?.name ?? null}
        onChange={(own) => onChange({ name: own, value: '' })}
      />
      {chosen &&
        (values ? (
          <Select
            label="Value"
            choices={choicesOf(values)}
            value={value === '' ? null : value}
            onChange={(own) => onChange({ name, value: own })}
          />
        ) : (
          <TextField
            label="Value"
            placeholder={String(chosen.defaultValue)}
            value={value}
            onChange={(own) => onChange({ name, value: own })}
          />
        ))}
    </>
  );
};
