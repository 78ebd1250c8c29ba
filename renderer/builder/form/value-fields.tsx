import type { KeyPath, Raw } from '../draft/raw-experiment.ts';
import { edit } from './edit.ts';
import { FieldInput } from './field-input.tsx';
import type { FormField } from './form-field.ts';

interface Props {
  /** The path of the mapping in the file. */
  readonly path: KeyPath;
  /** The name of the owner, for screen readers. */
  readonly of: string;
  readonly fields: readonly FormField[];
  readonly spec: Raw;
}

/** The fields for generating values of a column or parameter, side by side. */
export const ValueFields = ({ path, of, fields, spec }: Props) => (
  <div className="column-details">
    {fields.map((field) => (
      <div key={field.name} className="inline-field" data-kind={field.kind}>
        <span className="faint" aria-hidden="true">
          {field.label}
        </span>
        <FieldInput
          field={field}
          value={spec[field.name]}
          label={`${field.label} of ${of}`}
          inTable
          onChange={(value) => edit([...path, field.name], value)}
        />
      </div>
    ))}
  </div>
);
