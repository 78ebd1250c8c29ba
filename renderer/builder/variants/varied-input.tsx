import { at, type KeyPath, type Raw } from '../draft/raw-experiment.ts';
import { fieldAt } from '../form/form-field.ts';
import { KeyInput } from '../form/key-input.tsx';
import { AddVariant } from './add-variant.tsx';

interface Props {
  readonly raw: Raw;
  readonly path: KeyPath;
  /** The name of the owner: "sales". */
  readonly owner: string;
  /** The owner for screen readers. Default: "of sales". */
  readonly whose?: string;
}

/** The input of a number of the file, with a button that adds a variant of it. */
export const VariedInput = ({ raw, path, owner, whose = `of ${owner}` }: Props) => (
  <KeyInput
    raw={raw}
    path={path}
    beside={
      <AddVariant
        raw={raw}
        title={`${path.at(-1)} of ${owner}`}
        path={path}
        value={at(raw, path) ?? (Number(fieldAt(path).defaultValue) || 1)}
        label={`Add a variant of the ${path.at(-1)} ${whose}`}
        isIcon
      />
    }
  />
);
