import { useState } from 'react';
import { IconButton } from '../../ui/controls/button.tsx';
import type { KeyPath, Raw } from '../draft/raw-experiment.ts';
import { edit } from './edit.ts';
import { FieldInput } from './field-input.tsx';
import type { FormField } from './form-field.ts';
import { useKept } from './use-kept.ts';

interface Props {
  /** The path of the mapping in the file. */
  readonly path: KeyPath;
  /** The name of the owner, for screen readers. */
  readonly of: string;
  readonly fields: readonly FormField[];
  readonly spec: Raw;
}

/**
 * The fields for generating values of a column or parameter, side by side: first those that are required or set, the
 * others on request. A field stays when the user empties it.
 */
export const ValueFields = ({ path, of, fields, spec }: Props) => {
  const [isAll, setAll] = useState(false);
  const shown = useKept(fields.filter(({ name, required }) => required || name in spec).map(({ name }) => name));
  const others = fields.filter(({ name }) => !shown.includes(name));
  return (
    <div className="column-details">
      <div className="column-fields">
        {fields
          .filter((field) => isAll || !others.includes(field))
          .map((field) => (
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
      {others.length > 0 && (
        <IconButton
          icon={isAll ? 'close' : 'more'}
          aria-expanded={isAll}
          label={isAll ? `Fewer fields of ${of}` : `More fields of ${of}`}
          onPress={() => setAll(!isAll)}
        />
      )}
    </div>
  );
};
