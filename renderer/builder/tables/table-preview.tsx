import { useEffect, useState } from 'react';
import { datasetName } from '#model/dataset/tables.ts';
import { toErrorData } from '#model/error.ts';
import { errorText } from '#model/error-text.ts';
import { type Previewed, previewRows } from '#protocol/preview.ts';
import { request } from '../../state/bridge.ts';
import { draft } from '../draft/draft-store.ts';
import type { Raw } from '../draft/raw-experiment.ts';
import { RowsTable } from '../form/rows-table.tsx';
import { ProblemList } from '../problems/problem-list.tsx';

const delayMs = 300;

type Shown = Previewed | { readonly failure: string };

/** The first rows of a table, updated after a pause in typing. Null before the first answer. */
function usePreview(raw: Raw, table: string): Shown | null {
  const [shown, setShown] = useState<Shown | null>(null);
  // Other parts of the file do not change the rows.
  const state = JSON.stringify([table, raw.dataset, raw.tables]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state of the tables is what it depends on; its text comes from the draft
  useEffect(() => {
    let current = true;
    const timer = setTimeout(async () => {
      const text = draft.get()?.text;
      if (text === undefined) return;
      const next = await request('experiments:preview', { text, table }).catch((thrown) => failureOf(thrown));
      if (current && next !== null) setShown(next);
    }, delayMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [state]);
  return shown;
}

function failureOf(thrown: unknown): Shown | null {
  const error = toErrorData(thrown);
  return error.kind === 'cancelled' ? null : { failure: errorText(error) };
}

interface Props {
  readonly raw: Raw;
  /** The name of the table in statements. */
  readonly table: string;
  readonly label: string;
}

/** The first rows of a table, or the problems that prevent them. */
export const TablePreview = ({ raw, table, label }: Props) => {
  const shown = usePreview(raw, table);
  return (
    <div className="dataset-preview">
      <h3>{`The first ${previewRows} rows`}</h3>
      <p className="muted">
        {table === datasetName(raw.dataset)
          ? 'The rows follow the definition of the columns. A variant may change keys, nulls, dates and documents.'
          : 'The rows follow the definition of the columns. A variant may change dates and documents.'}
      </p>
      {shown === null ? (
        <p className="muted">Generating rows…</p>
      ) : 'preview' in shown ? (
        <RowsTable label={label} {...shown.preview} />
      ) : 'failure' in shown ? (
        <p role="status">{shown.failure}</p>
      ) : (
        <ProblemList problems={shown.problems} />
      )}
    </div>
  );
};
