import { useState } from 'react';
import type { ToConfirm } from '#model/production.ts';
import { productionQuestion } from '../state/production.ts';
import { useStore } from '../state/store.ts';
import { TextField } from '../ui/controls/fields.tsx';
import { QuestionDialog } from '../ui/overlays/question-dialog.tsx';

interface Props {
  readonly hosts: readonly ToConfirm[];
  readonly answer: NonNullable<ReturnType<typeof productionQuestion.get>>['answer'];
}

const Questions = ({ hosts, answer }: Props) => {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const isRight = ({ connection, host }: ToConfirm) =>
    (typed[connection] ?? '').trim().toLowerCase() === host.toLowerCase();
  return (
    <QuestionDialog
      title="Production"
      action="Continue on production"
      isReady={hosts.every(isRight)}
      onCancel={() => answer(null)}
      onAnswer={() => answer(hosts.map(({ connection }) => typed[connection] ?? ''))}
    >
      <p className="production-note">
        {'Other users depend on'} {hosts.length === 1 ? 'this server' : 'these servers'}.
      </p>
      {hosts.map(({ connection, host }, index) => (
        <TextField
          key={connection}
          label={`Type ${host} to confirm ${connection}`}
          autoFocus={index === 0}
          value={typed[connection] ?? ''}
          onChange={(text) => setTyped((all) => ({ ...all, [connection]: text }))}
        />
      ))}
    </QuestionDialog>
  );
};

/** Asks the user to type the host of every production connection before Dyno sends anything to it. */
export const ProductionDialog = () => {
  const asked = useStore(productionQuestion);
  return asked && <Questions hosts={asked.hosts} answer={asked.answer} />;
};
