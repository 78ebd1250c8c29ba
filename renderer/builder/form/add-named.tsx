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
  /** The first one is the usual one, which Enter adds. */
  readonly additions: readonly Addition[];
  /** The topic of its help. */
  readonly help?: Topic;
  readonly taken: readonly string[];
  /** True if a name is allowed. Default: an identifier. */
  readonly isName?: (name: string) => boolean;
}

/** Adds something under a name that is allowed and not yet taken. */
export const AddNamed = ({ label, placeholder, additions, help, taken, isName = isIdentifier }: Props) => {
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const isFree = isName(name) && !taken.includes(name);
  const add = (addition: Addition | undefined) => {
    if (!isFree || !addition || addition.isDisabled) return;
    addition.onAdd(name);
    setTyped('');
  };
  return (
    <form
      className="row add-column"
      onSubmit={(event) => {
        event.preventDefault();
        add(additions[0]);
      }}
    >
      <TextField label={label} hideLabel placeholder={placeholder} value={typed} onChange={setTyped} />
      {additions.map((addition, i) => (
        <Button
          key={addition.action}
          {...(i === 0 ? { icon: 'plus' } : { kind: 'quiet' })}
          isDisabled={!isFree || addition.isDisabled === true}
          onPress={() => add(addition)}
        >
          {addition.action}
        </Button>
      ))}
      {help && <HelpButton about={additions[0]?.action ?? label} topic={help} />}
    </form>
  );
};
