import { useState } from 'react';
import type { YamlSource } from '#experiment/yaml/yaml-source.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/fields.tsx';
import { editFile } from './edit.ts';

interface Props {
  readonly label: string;
  /** True if the label is for screen readers alone. */
  readonly hideLabel?: boolean;
  readonly help?: string | undefined;
  /** The current name. */
  readonly name: string;
  /** The sentence that says why a name cannot be given; null if it can. */
  readonly problemOf: (name: string) => string | null;
  /** Returns the file with the new name everywhere. */
  readonly rename: (file: YamlSource, name: string) => YamlSource;
  readonly onRenamed?: (name: string) => void;
}

/** A name that other parts of the file use: it changes everywhere at once, when the user presses *Rename*. */
export const RenameField = ({ label, hideLabel = false, help, name, problemOf, rename, onRenamed }: Props) => {
  const [next, setNext] = useState(name);
  const problem = next === name ? undefined : (problemOf(next) ?? undefined);
  return (
    <>
      <TextField label={label} hideLabel={hideLabel} help={help} value={next} problem={problem} onChange={setNext} />
      {next !== name && (
        <Button
          isDisabled={problem !== undefined}
          onPress={() => {
            editFile((file) => rename(file, next));
            onRenamed?.(next);
          }}
        >
          Rename
        </Button>
      )}
    </>
  );
};
