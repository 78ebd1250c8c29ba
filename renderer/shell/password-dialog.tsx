import { useState } from 'react';
import type { PasswordNeed, Passwords } from '#model/connections.ts';
import { question } from '../state/passwords.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/fields.tsx';

const keyOf = ({ connection, field }: PasswordNeed): string => `${connection} ${field}`;

interface Props {
  readonly needs: readonly PasswordNeed[];
  readonly answer: (passwords: Passwords | null) => void;
}

const Questions = ({ needs, answer }: Props) => {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const done = () => {
    const passwords: Record<string, Record<string, string>> = {};
    for (const need of needs)
      passwords[need.connection] = { ...passwords[need.connection], [need.field]: typed[keyOf(need)] ?? '' };
    answer(passwords);
  };
  return (
    <Dialog title="Passwords" open onClose={() => answer(null)}>
      <form
        className="dialog-body"
        onSubmit={(event) => {
          event.preventDefault();
          done();
        }}
      >
        <p className="muted">They are used this once and kept nowhere.</p>
        {needs.map((need, index) => (
          <TextField
            key={keyOf(need)}
            label={`${need.label} of ${need.name}`}
            type="password"
            autoFocus={index === 0}
            value={typed[keyOf(need)] ?? ''}
            onChange={(text) => setTyped((all) => ({ ...all, [keyOf(need)]: text }))}
          />
        ))}
        <div className="dialog-actions">
          <Button onPress={() => answer(null)}>Cancel</Button>
          <Button kind="primary" type="submit">
            Go on
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

/** Asks for passwords that are not stored. */
export const PasswordDialog = () => {
  const asked = useStore(question);
  return asked && <Questions needs={asked.needs} answer={asked.answer} />;
};
