import { changesOfLevels } from '#experiment/schema/levels.ts';
import { isMapping } from '#model/is-mapping.ts';
import { meantWord } from '#model/text/nearest-word.ts';
import type { Path } from '#model/text/path-text.ts';
import type { Report } from './check-shape.ts';

/** Rules for the quantities that are judged: each names calls that the file has, and is named once. */
export function checkJudge(experiment: Readonly<Record<string, unknown>>, report: Report): void {
  const judge: readonly unknown[] = Array.isArray(experiment.judge) ? experiment.judge : [];
  const seen = new Set<string>();
  judge.forEach((item, i) => {
    const path = ['judge', i];
    if (isMapping(item)) checkWork(experiment, item.statement, [...path, 'statement'], report);
    const key = isMapping(item) ? JSON.stringify([item.statement, item.quantile]) : String(item);
    if (seen.has(key))
      report({
        severity: 'warning',
        path,
        message: 'The list has this quantity twice.',
        suggestion: 'Remove one of them.',
      });
    seen.add(key);
  });
  const { until } = isMapping(experiment.measure) ? experiment.measure : {};
  if (isMapping(until) && until.calls !== undefined && judge.some((item) => item !== 'throughput'))
    report({
      path: ['judge'],
      at: 'key',
      message: 'Calls that are reported one by one have no mean time and no percentiles.',
      suggestion: 'Remove judge, or until.calls.',
      fix: { kind: 'set', path: ['judge'], value: undefined },
    });
}

/** Rules for goals: each is about calls that the file has, and names a limit. */
export function checkGoals(experiment: Readonly<Record<string, unknown>>, report: Report): void {
  const { goals } = experiment;
  const isList = Array.isArray(goals);
  const all: readonly unknown[] = isList ? goals : [goals];
  all.forEach((goal, i) => {
    if (!isMapping(goal)) return;
    const path = isList ? ['goals', i] : ['goals'];
    checkWork(experiment, goal.of, [...path, 'of'], report);
    if (Object.keys(goal).every((key) => key === 'of'))
      report({
        path,
        at: 'key',
        message: 'The goals name no limit.',
        suggestion: 'Add p99Ms: 50 or errorsPercent: 0.1, or remove the goals.',
      });
  });
}

/** Reports a name that is no statement, transaction or scenario of the file, nor of a level. */
function checkWork(experiment: Readonly<Record<string, unknown>>, name: unknown, path: Path, report: Report): void {
  const files = [experiment, ...changesOfLevels(experiment).map(({ change }) => change)];
  const sections = files.flatMap((file) => ['statements', 'transactions', 'scenarios'].map((key) => file[key]));
  const known = [...new Set(sections.flatMap((own) => (isMapping(own) ? Object.keys(own) : [])))];
  if (typeof name !== 'string' || known.includes(name)) return;
  report({
    path,
    message: `There is no statement, transaction or scenario \`${name}\`.`,
    ...meantWord({ path }, name, known, known.length === 0 ? 'The file has none.' : `There are: ${known.join(', ')}.`),
  });
}
