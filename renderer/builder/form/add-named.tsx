import { useState } from 'react';
import { isIdentifier } from '#model/dataset/column-parts.ts';
import { HelpButton } from '../../help/help-button.tsx';
import type { Topic } from '../../help/passages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/fields.tsx';

/** Something that can be added under a name. */
interface Addition {
  /** Label of the button. */
  readonly action: string;
  readonly isDisabled?: boolean;
  readonly onAdd: (name: string) => void;
}

interface Props {
  readonly label: string;
  readonly placeholder: string;
  /** The first one is the usual one. */
  readonly additions: readonly Addition[];
  /** The topic of its help. */
  readonly help?: Topic;
  readonly taken: readonly string[];
  /** True if a name is allowed. Default: an identifier. */
  readonly isName?: (name: string) => boolean;
}

/** Adds something under a name that is allowed and not yet taken. */
export const AddNamed = ({ label, placeholder, additions, help, taken, isName = isIdentifier }: Props) => {
  const [name, setName] = useState('');
  const isFree = isName(name) && !taken.includes(name);
  return (
    <div className="row add-column">
      <TextField label={label} hideLabel placeholder={placeholder} value={name} onChange={setName} />
      {additions.map(({ action, isDisabled = false, onAdd }, i) => (
        <Button
          key={action}
          {...(i === 0 ? { icon: 'plus' } : { kind: 'quiet' })}
          isDisabled={!isFree || isDisabled}
          onPress={() => {
            onAdd(name);
            setName('');
          }}
        >
          {action}
        </Button>
      ))}
      {help && <HelpButton about={additions[0]?.action ?? label} topic={help} />}
    </div>
  );
};
