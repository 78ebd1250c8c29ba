import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { repeatsOf } from '#planning/repeats.ts';
import type { Plan } from '#protocol/plan.ts';
import { GridTable } from '../../ui/display/grid-table.tsx';
import { Panel } from '../../ui/display/panel.tsx';

interface Props {
  readonly plan: Plan;
  readonly engines: readonly EngineDescriptor[];
}

/** What the starter will measure: its methods on its engines, and the cells that an engine cannot fill. */
export const StarterPlan = ({ plan, engines }: Props) => {
  const { max } = repeatsOf(plan.measure);
  const targets = plan.targets.flatMap(({ name }) => {
    const engine = engines.find(({ builtIn }) => builtIn.some(({ target }) => target === name));
    const label = engine?.builtIn.find(({ target }) => target === name)?.label ?? name;
    return engine?.reference ? [] : [{ name, label: label.replace(/ \(.*\)$/, '') }];
  });
  return (
    <Panel
      label="What will be measured"
      title="What will be measured"
      about={`Each cell ${max === 1 ? 'once' : `${max} times`}, in random order. What an engine cannot do stays empty, and the results say why.`}
    >
      <GridTable columns={[{ title: 'Engine', kind: 'hidden' }, ...plan.variants.map(({ label }) => label)]}>
        {targets.map(({ name, label }) => (
          <tr key={name}>
            <th scope="row" className="nowrap">
              {label}
            </th>
            {plan.variants.map(({ id }) => {
              const reason = plan.skipped.find((cell) => cell.variant === id && cell.target === name)?.reason;
              return (
                <td key={id} title={reason}>
                  <span className={reason === undefined ? 'home-cell' : 'home-cell home-cell-empty'}>
                    {reason === undefined ? 'rows/s' : 'cannot'}
                  </span>
                </td>
              );
            })}
          </tr>
        ))}
      </GridTable>
    </Panel>
  );
};
