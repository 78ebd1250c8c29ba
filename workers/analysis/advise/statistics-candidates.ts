import { allTables } from '#model/dataset/tables.ts';
import { isUnestimated, misestimateOf } from '../server/misestimates.ts';
import type { AdviceStep, AdvisedStatement, AdvisedWork, Candidate } from './candidate.ts';

/** Statistics of columns, or histograms, where the optimizer is far off about the rows of a step. */
export const statisticsCandidates = (work: AdvisedWork): readonly Candidate[] =>
  work.statements.flatMap((statement) => {
    const steps = isFarOff(statement) && hasPlans(work, statement) ? stepsFor(work, statement) : [];
    if (steps.length === 0) return [];
    return [
      {
        kind: 'statistics' as const,
        title: `statistics for ${statement.name}`.slice(0, 110),
        why: `The optimizer is far off about the rows of a step of “${statement.name}”.`,
        tables: [],
        statements: [statement.name],
        steps,
        change: { setup: Object.fromEntries(steps.map(({ name, text }) => [name, { [work.descriptor.id]: text }])) },
      },
    ];
  });

const isFarOff = ({ plan }: AdvisedStatement): boolean =>
  (plan?.steps ?? []).some((step) => misestimateOf(step) !== null || isUnestimated(step));

/** False where one table without an index leaves the optimizer nothing to choose. */
const hasPlans = ({ experiment }: AdvisedWork, { shape }: AdvisedStatement): boolean =>
  shape !== null &&
  (shape.tables.length > 1 || shape.tables.some((table) => allTables(experiment)[table]?.indexes?.length));

type SetUp = AdviceStep & { readonly do: 'setUp' };

/** One statement of `setup` for each table with enough columns in conditions. */
function stepsFor({ experiment, descriptor }: AdvisedWork, { shape }: AdvisedStatement): readonly SetUp[] {
  const statistics = descriptor.setup?.statistics;
  if (statistics === undefined || shape === null) return [];
  const taken = [...Object.keys(allTables(experiment)), ...Object.keys(experiment.setup ?? {})];
  return [...new Set(shape.tables)].flatMap((table, i): readonly SetUp[] => {
    const own = shape.conditions.filter((one) => one.table === table && one.kind !== 'join' && one.path === undefined);
    const columns = [...new Set(own.map(({ column }) => column))].slice(0, mostColumns);
    const name = `statistics_${i + 1}`;
    if (columns.length < statistics.leastColumns || taken.includes(name)) return [];
    const text = statistics.text
      .replace('{own}', `{${name}}`)
      .replace('{columns}', columns.join(', '))
      .replace('{}', `{${table}}`);
    return [{ do: 'setUp', name, text }];
  });
}

/** The most columns of one object of statistics. */
const mostColumns = 8;
