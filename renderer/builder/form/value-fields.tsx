import { Select, TextField } from '../../ui/controls/fields.tsx';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { asEntry, asText, isRecord, type KeyPath, type Raw } from '../draft/raw-experiment.ts';
import { spaced } from '../form-text.ts';
import type { ColumnField } from './column-fields.ts';
import { edit } from './edit.ts';
import { ListInput } from './list-input.tsx';

interface FieldProps {
  /** Path of the key in the file. */
  readonly path: KeyPath;
  readonly label: string;
  readonly field: ColumnField;
  readonly value: unknown;
}

const Nested = ({ value }: { readonly value: unknown }) => (
  <span className="mono nested" title="Change it in the YAML.">
    {isRecord(value) ? summaryOf(value) : 'in the YAML'}
  </span>
);

/** A mapping in one line. */
const summaryOf = (value: Raw): string =>
  Object.entries(value)
    .map(([name, inner]) => (isRecord(inner) ? name : `${name}: ${asText(inner)}`))
    .join(', ');

const Field = ({ path, label, field, value }: FieldProps) => {
  const common = { label, hideLabel: true };
  const set = (next: unknown) => edit(path, next);
  switch (field.kind) {
    case 'number':
      return (
        <NumberField
          {...common}
          {...field.numbers}
          value={asEntry(value)}
          placeholder={field.defaultValue || 'default'}
          onChange={(next) => set(next ?? undefined)}
        />
      );
    case 'choice':
      return (
        <Select
          {...common}
          value={asText(value) || field.defaultValue || null}
          placeholder="default"
          choices={field.options.map((id) => ({ id, label: id }))}
          onChange={(id) => set(id === field.defaultValue ? undefined : id)}
        />
      );
    case 'text':
      return isRecord(value) ? (
        <Nested value={value} />
      ) : (
        <TextField
          {...common}
          value={asText(value)}
          placeholder={field.defaultValue}
          onChange={(text) => set(text === '' ? undefined : text)}
        />
      );
    case 'list':
    case 'numbers':
      return <ListInput {...common} value={value} numbers={field.kind === 'numbers'} onChange={set} />;
    case 'nested':
      return <Nested value={value} />;
  }
};

interface Props {
  /** Path of the mapping in the file. */
  readonly path: KeyPath;
  /** Name of the owner, for screen readers. */
  readonly of: string;
  readonly fields: readonly ColumnField[];
  readonly spec: Raw;
}

/** The fields that say how values of a column or parameter are generated, side by side. */
export const ValueFields = ({ path, of, fields, spec }: Props) => (
  <div className="column-details">
    {fields.map((field) => (
      <div key={field.name} className="inline-field" data-kind={field.kind}>
        <span className="faint" aria-hidden="true">
          {spaced(field.name)}
        </span>
        <Field
          path={[...path, field.name]}
          label={`${spaced(field.name)} of ${of}`}
          field={field}
          value={spec[field.name]}
        />
      </div>
    ))}
  </div>
);
