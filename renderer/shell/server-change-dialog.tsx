import { useState } from 'react';
import type { ServerToChange } from '#protocol/server-change.ts';
import { serverChangeQuestion } from '../state/server-changes.ts';
import { useStore } from '../state/store.ts';
import { TextField } from '../ui/controls/fields.tsx';
import { GridTable } from '../ui/display/grid-table.tsx';
import { QuestionDialog } from '../ui/overlays/question-dialog.tsx';

interface Props {
  readonly servers: readonly ServerToChange[];
  readonly answer: NonNullable<ReturnType<typeof serverChangeQuestion.get>>['answer'];
}

const Questions = ({ servers, answer }: Props) => {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  return (
    <QuestionDialog
      title={servers.length === 1 ? 'Change parameters of your server' : 'Change parameters of your servers'}
      action="Change and run"
      isReady={servers.every(({ connection }) => (typed[connection] ?? '').trim() === connection)}
      onCancel={() => answer(null)}
      onAnswer={() => answer(servers.map(({ connection }) => connection))}
    >
      <p className="production-note">
        The run changes these parameters for all users of the server. Each trial sets its values first. While the run is
        paused and at its end, also after an error or a cancel, Dyno gives the present values back. If Dyno is killed,
        the next run on the server gives them back, and so does “Clean up tables and parameters” in the menu of the
        connection.
      </p>
      {servers.map(({ connection, address, parameters, now }, index) => (
        <section key={connection} aria-label={connection} className="stack">
          <p>
            <strong>{connection}</strong> <span className="muted">{address}</span>
          </p>
          <GridTable label={`Parameters of ${connection}`} columns={['Parameter', 'Now', 'The run sets']}>
            {parameters.map(({ name, values }) => (
              <tr key={name}>
                <th scope="row" className="mono">
                  {name}
                </th>
                <td>{now[name] ?? 'not known to the server'}</td>
                <td>{values.join(', ')}</td>
              </tr>
            ))}
          </GridTable>
          <TextField
            label={`Type ${connection} to let the run change its server`}
            autoFocus={index === 0}
            value={typed[connection] ?? ''}
            onChange={(text) => setTyped((all) => ({ ...all, [connection]: text }))}
          />
        </section>
      ))}
    </QuestionDialog>
  );
};

/** Asks the user to type the name of each connection before a run changes parameters of its server. */
export const ServerChangeDialog = () => {
  const asked = useStore(serverChangeQuestion);
  return asked && <Questions servers={asked.servers} answer={asked.answer} />;
};
