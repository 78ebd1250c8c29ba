import * as v from 'valibot';
import { isWhole, loadNouns, type Search, searchLevels, searchSchema } from '#experiment/schema/search.ts';
import { formatCount } from '#model/format/format.ts';
import { isMapping } from '#model/is-mapping.ts';
import { settingSchemas } from '#model/settings/settings.ts';
import { shapeOf } from '#model/shape.ts';
import { checkLeaf, type Report } from './check-shape.ts';
import { maxVariants } from './factor-rules.ts';

/** Rules for a search beyond the schema, and for the keys that contradict one. */
export function checkSearch(experiment: Readonly<Record<string, unknown>>, report: Report): void {
  const measure = isMapping(experiment.measure) ? experiment.measure : {};
  const parsed = v.safeParse(searchSchema, measure.search);
  if (!parsed.success) return;
  const search = parsed.output;
  checkRange(search, report);
  checkLimit(search, experiment.goals, report);
  checkBeside(search, measure, report);
  checkVaried(search, experiment, report);
}

const path = (key: keyof Search) => ['measure', 'search', key];

function checkRange({ setting, from, to, relativeStep }: Search, report: Report): void {
  for (const [key, level] of [
    ['from', from],
    ['to', to],
  ] as const)
    checkLeaf(shapeOf(settingSchemas[setting]), level, path(key), report);
  if (from >= to)
    report({
      path: path('to'),
      message: `From ${from} to ${to} there is nothing to raise.`,
      suggestion: `Write to: ${isWhole(setting) ? Math.ceil(from * 64) : from * 64}, or lower from.`,
      fix: { kind: 'set', path: path('to'), value: isWhole(setting) ? Math.ceil(from * 64) : from * 64 },
    });
  else if (searchLevels({ find: 'saturation', setting, from, to, relativeStep }).length < 3)
    report({
      path: path('to'),
      message: `Between ${from} and ${to} there are too few ${loadNouns({ setting })} to search among.`,
      suggestion: 'Raise to, or make relativeStep smaller.',
    });
}

function checkLimit({ find }: Search, goals: unknown, report: Report): void {
  if (find !== 'limit' || goals !== undefined) return;
  report({
    path: path('find'),
    message: 'A search for a limit looks for the highest load that keeps the goals of the file, and the file has none.',
    suggestion: 'Add goals: { p99Ms: 20 }.',
    fix: { kind: 'set', path: ['goals', 'p99Ms'], value: 20 },
  });
}

/** Reports other keys that decide the number of trials or their load. */
function checkBeside({ setting }: Search, measure: Readonly<Record<string, unknown>>, report: Report): void {
  const until = isMapping(measure.until) ? measure.until : {};
  const refuse = (key: readonly string[], message: string, suggestion: string) => {
    const path = ['measure', ...key];
    report({ path, at: 'key', message, suggestion, fix: { kind: 'set', path, value: undefined } });
  };
  if (isMapping(measure.repeats))
    refuse(
      ['repeats'],
      'A search chooses its trials by what it looks for; the loads next to the answer get a number of repeats.',
      'Write a number, or remove the search.',
    );
  if (until.precision !== undefined)
    refuse(
      ['until', 'precision'],
      'A search chooses its trials by what it looks for, not by how narrow all intervals are.',
      'Remove one of search and until.precision.',
    );
  if (measure.stages !== undefined)
    refuse(
      ['stages'],
      `A search raises ${setting} from trial to trial; stages change it within each of them.`,
      'Remove one of search and stages.',
    );
  if (until.calls !== undefined)
    refuse(
      ['until', 'calls'],
      'Calls that are reported one by one run one after another on one connection: there is no load to raise.',
      'Remove one of search and until.calls.',
    );
}

function checkVaried(search: Search, experiment: Readonly<Record<string, unknown>>, report: Report): void {
  const { setting } = search;
  const factors = isMapping(experiment.factors) ? experiment.factors : {};
  for (const [name, factor] of Object.entries(factors)) {
    const varies = isMapping(factor) && Object.values(factor).some((bundle) => isMapping(bundle) && setting in bundle);
    if (name === setting || varies)
      report({
        path: ['factors', name],
        at: 'key',
        message: `\`${setting}\` is raised by measure.search already.`,
        suggestion: 'Remove the factor, or the search.',
        fix: { kind: 'set', path: ['factors', name], value: undefined },
      });
  }
  if (isMapping(experiment.workload) && setting in experiment.workload)
    report({
      severity: 'warning',
      path: ['workload', setting],
      at: 'key',
      message: `\`${setting}\` is raised by measure.search, which wins.`,
      suggestion: 'Remove it from the workload.',
      fix: { kind: 'set', path: ['workload', setting], value: undefined },
    });
  const others = Object.values(factors).reduce<number>(
    (product, one) => product * Math.max(1, Array.isArray(one) || isMapping(one) ? Object.keys(one).length : 1),
    1,
  );
  const levels = search.from < search.to ? searchLevels(search).length : 0;
  if (others * levels > maxVariants)
    report({
      path: path('to'),
      message: `${formatCount(levels)} loads to choose from × ${formatCount(others)} variants are more than ${formatCount(maxVariants)}.`,
      suggestion: 'Search a shorter range, make relativeStep larger, or vary fewer things at once.',
    });
}
