import { useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/fields.tsx';
import { edit, editText } from './edit.ts';

interface Props {
  /** Section of the file. */
  readonly section: 'tables' | 'checks' | 'statements' | 'transactions' | 'scenarios';
  readonly isAlone: boolean;
  readonly name: string;
  /** The name of the item, such as "table". */
  readonly what: string;
  readonly isFree: (name: string) => boolean;
  /** Returns the file's text with the item renamed. */
  readonly rename: (text: string, old: string, name: string) => string;
  readonly onRenamed: (name: string) => void;
}

/** Renames or removes a named item of the file. */
export const NamedTools = ({ section, isAlone, name, what, isFree, rename, onRenamed }: Props) => {
  const [next, setNext] = useState(name);
  return (
    <div className="row add-column named-tools">
      <TextField label={`New name of ${name}`} hideLabel value={next} onChange={setNext} />
      <Button
        isDisabled={!isFree(next)}
        onPress={() => {
          editText((text) => rename(text, name, next));
          onRenamed(next);
        }}
      >
        Rename
      </Button>
      <Button kind="quiet" icon="trash" onPress={() => edit(isAlone ? [section] : [section, name], undefined)}>
        {`Remove ${what}`}
      </Button>
    </div>
  );
};
