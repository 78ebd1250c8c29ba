import { Checkbox } from '../../ui/controls/fields.tsx';
import { type KeyPath, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { fieldAt } from '../form/form-field.ts';
import { KeyInput } from '../form/key-input.tsx';
import { withoutMarks } from '../form-text.ts';
import { ReadColumns } from './read-columns.tsx';

/** The file whose rows fill a table. */
export const FileFields = ({ raw, path }: { readonly raw: Raw; readonly path: KeyPath }) => {
  const own = [...path, 'from'];
  const isFilled = recordAt(raw, path).from !== undefined;
  return (
    <div className="rows-from-file">
      <ReadColumns raw={raw} path={path}>
        <Checkbox
          label="Rows from a file"
          checked={isFilled}
          onChange={(on) => edit(own, on ? { file: 'rows.csv' } : undefined)}
        />
      </ReadColumns>
      {isFilled && (
        <div className="form-grid">
          {['file', 'format', 'encoding', 'nullAs'].map((key) => (
            // The default of the others depends on the file, so that no field can show it.
            <KeyInput
              key={key}
              raw={raw}
              path={[...own, key]}
              {...(key !== 'file' && { help: withoutMarks(fieldAt([...own, key]).description) })}
            />
          ))}
        </div>
      )}
    </div>
  );
};
