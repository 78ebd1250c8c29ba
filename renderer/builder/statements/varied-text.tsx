import { at, type KeyPath, type Raw } from '../draft/raw-experiment.ts';
import { AddVariant } from '../variants/add-variant.tsx';
import { TextFields } from './text-fields.tsx';

interface Props {
  readonly raw: Raw;
  /** The path of the text in the file. */
  readonly path: KeyPath;
  /** The name of the statement, check or setup. */
  readonly name: string;
  /** The words before the name on the button: “the check”. */
  readonly what: string;
  /** The path of the value that a variant changes. Default: the text. */
  readonly varied?: KeyPath;
  /** Called when the user leaves an editor. */
  readonly onLeave?: () => void;
}

/** The editors of a text, with a button that adds a variant. */
export const VariedText = ({ raw, path, name, what, varied = path, onLeave }: Props) => (
  <TextFields
    path={path}
    name={name}
    text={at(raw, path)}
    onLeave={onLeave}
    actions={
      <AddVariant
        raw={raw}
        title={name}
        path={varied}
        value={at(raw, varied)}
        label={`Add a variant of ${what} ${name}`}
      />
    }
  />
);
