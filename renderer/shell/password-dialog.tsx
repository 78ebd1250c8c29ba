import { useState } from 'react';
import type { PasswordNeed } from '#model/connections.ts';
import { passwordQuestion } from '../state/passwords.ts';
import { useStore } from '../state/store.ts';
import { Checkbox, TextField } from '../ui/controls/fields.tsx';
import { QuestionDialog } from '../ui/overlays/question-dialog.tsx';

const keyOf = ({ connection, field }: PasswordNeed): string => `${connection} ${field}`;

interface Props {
  readonly needs: readonly PasswordNeed[];
  readonly answer: NonNullable<ReturnType<typeof passwordQuestion.get>>['answer'];
}

const Questions = ({ needs, answer }: Props) => {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [remember, setRemember] = useState(true);
  const done = () => {
    const passwords: Record<string, Record<string, string>> = {};
    for (const need of needs)
      passwords[need.connection] = { ...passwords[need.connection], [need.field]: typed[keyOf(need)] ?? '' };
    answer({ passwords, remember });
  };
  return (
    <QuestionDialog title="Passwords" action="Continue" onCancel={() => answer(null)} onAnswer={done}>
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
      <Checkbox label="Remember until Dyno quits" checked={remember} onChange={setRemember} />
      <p className="muted">
        {remember
          ? 'The passwords stay in memory. They are not written to a file.'
          : 'The passwords are used once and not kept.'}
      </p>
    </QuestionDialog>
  );
};

/** The dialog that asks for passwords which are not stored. */
export const PasswordDialog = () => {
  const asked = useStore(passwordQuestion);
  return asked && <Questions needs={asked.needs} answer={asked.answer} />;
};
