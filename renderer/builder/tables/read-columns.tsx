import { type ReactNode, useState } from 'react';
import { toErrorData } from '#model/error.ts';
import { errorText } from '#model/error-text.ts';
import { isMapping } from '#model/is-mapping.ts';
import type { ProposedTable } from '#protocol/proposed-table.ts';
import { request } from '../../state/bridge.ts';
import { Button } from '../../ui/controls/button.tsx';
import { type KeyPath, listAt, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { editAll } from '../form/edit.ts';

/** The table with the rows and columns of a file, in one undo step. Options, seed and indexes stay where they can. */
function take(raw: Raw, path: KeyPath, { table }: ProposedTable): void {
  const { key, columns: before } = recordAt(raw, path);
  const generated = isMapping(before) && typeof key === 'string' ? before[key] : undefined;
  // A file without a key keeps the key that Dyno numbers its rows by.
  const isKept = table.key === undefined && isMapping(generated) && generated.type === 'sequence';
  const columns = { ...(isKept && { [String(key)]: generated }), ...table.columns };
  const indexes = listAt(raw, [...path, 'indexes']);
  const remain = indexes.filter(
    (one) =>
      isMapping(one) && Array.isArray(one.columns) && one.columns.every((name) => Object.hasOwn(columns, String(name))),
  );
  editAll(
    Object.entries({
      from: table.from,
      rows: table.rows,
      key: isKept ? key : table.key,
      columns,
      ...(indexes.length > 0 && { indexes: remain.length > 0 ? remain : undefined }),
    }).map(([name, value]) => ({ path: [...path, name], value })),
  );
}

interface Props {
  readonly raw: Raw;
  /** The path of the table in the file. */
  readonly path: KeyPath;
  readonly children: ReactNode;
}

/** The answer to the last press: sentences about the columns, or the error. */
type Answer = { readonly told: readonly string[] } | { readonly problem: string } | null;

/** A button beside `children` that asks for a file and takes its columns with their types. */
export const ReadColumns = ({ raw, path, children }: Props) => {
  const [isReading, setReading] = useState(false);
  const [answer, setAnswer] = useState<Answer>(null);
  const read = async () => {
    setReading(true);
    setAnswer(null);
    try {
      const made = await request('experiments:tableOfFile', null);
      if (made === null) return;
      take(raw, path, made);
      setAnswer({ told: made.told });
    } catch (thrown) {
      setAnswer({ problem: errorText(toErrorData(thrown)) });
    } finally {
      setReading(false);
    }
  };
  return (
    <>
      <div className="row">
        {children}
        <Button isDisabled={isReading} onPress={() => void read()}>
          {isReading ? 'Reading the file…' : 'Read the columns from a file…'}
        </Button>
      </div>
      {answer !== null && (
        <div role="status">
          {'problem' in answer ? (
            <p className="help help-problem">{answer.problem}</p>
          ) : (
            <ul className="muted">
              {answer.told.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          )}
        </div>
      )}
    </>
  );
};
