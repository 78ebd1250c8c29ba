import { useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox, NumberField, Select, TextField } from '../../ui/fields.tsx';
import { type ColumnField, columnFields, columnTypes } from './column-fields.ts';
import { edit } from './edit.ts';
import { isRecord, numberOf, type Raw, recordAt, textOf } from './form-model.ts';

const typeChoices = columnTypes.map((id) => ({ id, label: id }));

interface DetailProps {
  readonly column: string;
  readonly field: ColumnField;
  readonly value: unknown;
}

const Detail = ({ column, field, value }: DetailProps) => {
  const common = { label: `${field.name} of ${column}`, hideLabel: true };
  const set = (next: unknown) => edit(['dataset', 'columns', column, field.name], next);
  switch (field.kind) {
    case 'number':
      return (
        <NumberField
          {...common}
          value={numberOf(value)}
          placeholder={field.byDefault || 'default'}
          onChange={(next) => set(next ?? undefined)}
        />
      );
    case 'choice':
      return (
        <Select
          {...common}
          value={typeof value === 'string' ? value : field.byDefault}
          choices={field.options.map((id) => ({ id, label: id }))}
          onChange={(id) => set(id === field.byDefault ? undefined : id)}
        />
      );
    case 'text':
      return (
        <TextField
          {...common}
          value={textOf(value)}
          placeholder={field.byDefault}
          onChange={(text) => set(text === '' ? undefined : text)}
        />
      );
  }
};

const Details = ({ name, spec }: { readonly name: string; readonly spec: Raw }) => (
  <div className="column-details">
    {columnFields(spec).map((field) => (
      <div key={field.name} className="inline-field" data-kind={field.kind}>
        <span className="faint" aria-hidden="true">
          {field.name}
        </span>
        <Detail column={name} field={field} value={spec[field.name]} />
      </div>
    ))}
  </div>
);

const AddColumn = ({ taken }: { readonly taken: readonly string[] }) => {
  const [name, setName] = useState('');
  const valid = /^[a-z][a-z0-9_]{0,29}$/.test(name) && !taken.includes(name);
  return (
    <div className="row add-column">
      <TextField label="Name of the new column" hideLabel placeholder="new_column" value={name} onChange={setName} />
      <Button
        icon="plus"
        isDisabled={!valid}
        onPress={() => {
          edit(['dataset', 'columns', name], { type: 'text', length: 20 });
          setName('');
        }}
      >
        Add column
      </Button>
    </div>
  );
};

export const ColumnsTable = ({ raw }: { readonly raw: Raw }) => {
  const columns = recordAt(raw, ['dataset', 'columns']);
  const key = recordAt(raw, ['dataset']).key;
  const names = Object.keys(columns);
  return (
    <div>
      <div className="scroll-x">
        <table className="grid-table columns-table" aria-label="Columns">
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Type</th>
              <th scope="col">Made how</th>
              <th scope="col">Nulls</th>
              <th scope="col">Key</th>
              <th scope="col">
                <span className="visually-hidden">Remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(columns).map(([name, value]) => {
              const spec = isRecord(value) ? value : {};
              return (
                <tr key={name}>
                  <th scope="row" className="mono">
                    {name}
                  </th>
                  <td>
                    <Select
                      label={`Type of ${name}`}
                      hideLabel
                      value={textOf(spec.type)}
                      choices={typeChoices}
                      onChange={(type) =>
                        edit(['dataset', 'columns', name], type === 'text' ? { type, length: 20 } : { type })
                      }
                    />
                  </td>
                  <td>
                    <Details name={name} spec={spec} />
                  </td>
                  <td className="narrow">
                    <NumberField
                      label={`Share of nulls in ${name}`}
                      hideLabel
                      placeholder="0"
                      min={0}
                      max={1}
                      value={numberOf(spec.nulls)}
                      onChange={(share) => edit(['dataset', 'columns', name, 'nulls'], share ?? undefined)}
                    />
                  </td>
                  <td>
                    <Checkbox
                      label=""
                      name={`${name} is the primary key`}
                      checked={key === name}
                      onChange={(on) => edit(['dataset', 'key'], on ? name : undefined)}
                    />
                  </td>
                  <td>
                    <IconButton
                      icon="trash"
                      label={`Remove column ${name}`}
                      isDisabled={names.length < 2}
                      onPress={() => edit(['dataset', 'columns', name], undefined)}
                    />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <AddColumn taken={names} />
    </div>
  );
};
