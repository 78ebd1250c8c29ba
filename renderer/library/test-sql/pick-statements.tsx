import { useState } from 'react';
import type { KeptStatement } from '#engine-api/kept-statements.ts';
import { toErrorData } from '#model/error.ts';
import { errorText } from '#model/error-text.ts';
import { formatMs, formatShort } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { request } from '../../state/bridge.ts';
import { withAnswers } from '../../state/passwords.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/fields.tsx';
import { smallestOn } from './smallest-experiment.ts';

/** The statements that a server has counted, or the reason why it gives none. Null until they are asked for. */
type Answer = readonly KeptStatement[] | string | null;

interface Props {
  /** The name of the target in experiment files. */
  readonly target: string;
  readonly label: string;
  /** The view that is read; null if Dyno reads none of this engine, and then the reason. */
  readonly source: string | null;
  readonly reason: string;
  readonly onAdd: (texts: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Lists the statements that the server has counted, without values, and adds the chosen ones to the SQL. */
export const PickStatements = ({ target, label, source, reason, onAdd, onClose }: Props) => {
  const [answer, setAnswer] = useState<Answer>(null);
  const [isBusy, setBusy] = useState(false);
  const [picked, setPicked] = useState<readonly string[]>([]);
  const read = async () => {
    setBusy(true);
    try {
      const found = await withAnswers(({ passwords }) =>
        request('statements:kept', { text: smallestOn(target, 'sql'), target, passwords }),
      );
      setAnswer(found?.statements ?? null);
    } catch (thrown) {
      setAnswer(errorText(toErrorData(thrown)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section aria-label={`Statements of ${label}`} className="panel test-sql-pick">
      <div className="row">
        <p className="grow">
          {source === null
            ? `${label} has no statements to pick. ${reason}`
            : `Dyno reads ${source}: the texts of statements and their counts. Values in the texts become parameters.`}
        </p>
        {source !== null && (
          <Button isDisabled={isBusy} onPress={() => void read()}>
            {isBusy ? 'Reading…' : `Read from ${label}`}
          </Button>
        )}
        <Button kind="quiet" onPress={onClose}>
          Close
        </Button>
      </div>
      {typeof answer === 'string' && <p role="alert">{answer}</p>}
      {Array.isArray(answer) && answer.length === 0 && (
        <p className="muted">The server has counted no statement of this database yet.</p>
      )}
      {Array.isArray(answer) && answer.length > 0 && (
        <>
          <ul className="test-sql-kept">
            {(answer as readonly KeptStatement[]).map(({ text, calls, meanMs, rowsPerCall }) => (
              <li key={text}>
                <Checkbox
                  name={text}
                  checked={picked.includes(text)}
                  onChange={(on) => setPicked((now) => (on ? [...now, text] : now.filter((one) => one !== text)))}
                  label={
                    <span className="test-sql-server">
                      <code className="mono test-sql-text" title={text}>
                        {text}
                      </code>
                      <span className="faint">{`${many(calls, 'call')}, ${formatMs(meanMs)} each, ${formatShort(rowsPerCall)} rows a call`}</span>
                    </span>
                  }
                />
              </li>
            ))}
          </ul>
          <div className="row">
            <Button
              isDisabled={picked.length === 0}
              onPress={() => {
                onAdd(picked);
                onClose();
              }}
            >
              {picked.length === 0 ? 'Add the chosen statements' : `Add ${many(picked.length, 'statement')}`}
            </Button>
          </div>
        </>
      )}
    </section>
  );
};
