import type { RunModel, TrialView } from '#analysis/model.ts';
import { variantLabel } from '#planning/variant-of.ts';
import { GridTable } from '../ui/grid-table.tsx';
import { Panel } from '../ui/panel.tsx';

const statusWords = { failed: 'failed', cancelled: 'cancelled', didNotFinish: 'did not finish' } as const;

function whyNot({ result, damage }: TrialView): { readonly what: string; readonly why: string } | null {
  if (damage !== null) return { what: 'damaged', why: damage };
  if (!result || result.status === 'ok' || result.status === 'cannot') return null;
  const hint = result.error?.hint ? ` ${result.error.hint}` : '';
  return { what: statusWords[result.status], why: `${result.error?.message ?? ''}${hint}` };
}

/** Cells that were left out and trials that went wrong, with the reasons. */
export const ExceptionsTable = ({ model }: { readonly model: RunModel }) => {
  const rows = [
    ...model.skipped.map((cell) => ({
      key: `s ${cell.variant} ${cell.target}`,
      ...cell,
      what: 'skipped',
      why: cell.reason,
    })),
    ...model.trials.flatMap((view) => {
      const exception = whyNot(view);
      const { variant, target, number } = view.trial;
      return exception
        ? [{ key: `t ${number}`, variant, target, what: `trial ${number} ${exception.what}`, why: exception.why }]
        : [];
    }),
  ];
  if (rows.length === 0) return null;
  return (
    <Panel label="Skipped and failed" anchor="exceptions" title="Skipped and failed">
      <GridTable columns={['Variant', 'Target', 'What', 'Why']} className="exceptions-table">
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">{variantLabel(model.plan, row.variant)}</th>
            <td>{row.target}</td>
            <td>{row.what}</td>
            <td className="muted">{row.why}</td>
          </tr>
        ))}
      </GridTable>
    </Panel>
  );
};
