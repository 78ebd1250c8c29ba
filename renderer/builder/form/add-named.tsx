import { useRef, useState } from 'react';
import { identifierProblem } from '#model/dataset/column-parts.ts';
import { HelpButton } from '../../help/help-button.tsx';
import type { Topic } from '../../help/passages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/fields.tsx';

/** A kind of item that can be added under a name. */
interface Addition {
  /** The label of the button. */
  readonly action: string;
  /** The reason why this kind cannot be added yet. Undefined if it can. */
  readonly lack?: string | undefined;
  readonly onAdd: (name: string) => void;
}

interface Props {
  readonly label: string;
  readonly placeholder: string;
  /** The kinds. Enter adds the first one. */
  readonly additions: readonly Addition[];
  /** The help topic. */
  readonly help?: Topic;
  readonly taken: readonly string[];
  /** The reason why a name is not allowed; null if it is. Default: that of an identifier. */
  readonly problemOf?: (name: string) => string | null;
}

/** The sentence that says why a name cannot be given; null if it can. */
export function nameProblem(
  name: string,
  taken: readonly string[],
  problemOf: (name: string) => string | null = identifierProblem,
): string | null {
  if (name === '') return 'A name is needed here.';
  const problem = taken.includes(name) ? 'is taken' : problemOf(name);
  return problem === null ? null : `“${name}” ${problem}.`;
}

/** Adds something under a name that is allowed and not yet taken. */
export const AddNamed = ({ label, placeholder, additions, help, taken, problemOf }: Props) => {
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const problem = nameProblem(name, taken, problemOf);
  const form = useRef<HTMLFormElement>(null);
  const add = (addition: Addition | undefined) => {
    if (problem !== null || !addition || addition.lack !== undefined) return;
    addition.onAdd(name);
    setTyped('');
    // The next name can be typed at once.
    form.current?.querySelector('input')?.focus();
  };
  const lacks = additions.flatMap(({ lack }) => lack ?? []);
  const hint = name === '' ? 'Type a name and press Enter.' : (lacks[0] ?? null);
  return (
    <form
      ref={form}
      className="row add-column"
      onSubmit={(event) => {
        event.preventDefault();
        add(additions[0]);
      }}
    >
      <TextField
        label={label}
        hideLabel
        placeholder={placeholder}
        value={typed}
        problem={name === '' ? undefined : (problem ?? undefined)}
        onChange={setTyped}
      />
      {additions.map((addition, i) => (
        <Button
          key={addition.action}
          {...(i === 0 ? { icon: 'plus' } : { kind: 'quiet' })}
          isDisabled={problem !== null || addition.lack !== undefined}
          onPress={() => add(addition)}
        >
          {addition.action}
        </Button>
      ))}
      {hint !== null && <span className={additions.length > 1 ? 'faint add-hint' : 'faint'}>{hint}</span>}
      {help && <HelpButton about={additions[0]?.action ?? label} topic={help} />}
    </form>
  );
};
