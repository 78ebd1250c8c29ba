import { useState } from 'react';
import { isIdentifier } from '#model/dataset/column-parts.ts';
import { HelpButton } from '../../help/help-button.tsx';
import type { Topic } from '../../help/passages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/fields.tsx';

interface Props {
  readonly label: string;
  readonly placeholder: string;
  /** Label of the button. */
  readonly action: string;
  /** The topic of its help. */
  readonly help?: Topic;
  readonly taken: readonly string[];
  /** True if a name is allowed. Default: an identifier. */
  readonly isName?: (name: string) => boolean;
  readonly onAdd: (name: string) => void;
}

/** Adds something under a name that is allowed and not yet taken. */
export const AddNamed = ({ label, placeholder, action, help, taken, isName = isIdentifier, onAdd }: Props) => {
  const [name, setName] = useState('');
  return (
    <div className="row add-column">
      <TextField label={label} hideLabel placeholder={placeholder} value={name} onChange={setName} />
      <Button
        icon="plus"
        isDisabled={!isName(name) || taken.includes(name)}
        onPress={() => {
          onAdd(name);
          setName('');
        }}
      >
        {action}
      </Button>
      {help && <HelpButton about={action} topic={help} />}
    </div>
  );
};
