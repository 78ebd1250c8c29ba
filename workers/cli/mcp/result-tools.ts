import * as v from 'valibot';
import { mostCompared } from '#analysis/between-runs/compare-with-reference.ts';
import { statementPlans } from '#analysis/server/query-plans.ts';
import { isMapping } from '#model/is-mapping.ts';
import { renderComparison } from '#presentation/terminal/comparison-text.ts';
import { renderHistory } from '#presentation/terminal/history-text.ts';
import { renderText } from '#presentation/terminal/run-text.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { openRuns } from '#workspace/runs/runs.ts';
import { findListedRun, listedRunWords } from '../find-run.ts';
import { comparedFiles, filesOf } from '../results/compare.ts';
import { experimentCalled, momentOf } from '../results/history.ts';
import { resultsJson } from '../results/results-json.ts';
import { pageInput, pageOf, pageOutput, textInput, textOutput, textPage } from './pages.ts';
import { about, type ToolContext, tool, word } from './tool.ts';

/** The parts of the results of a run in JSON that agents can read (docs/file-format.md). */
const parts = [
  ...[
    'answer',
    'cells',
    'ratios',
    'times',
    'decision',
    'gaps',
    'judgedTimes',
    'tournaments',
    'bestOfEach',
    'cheapestOfEach',
  ],
  ...['costs', 'geometricMeans', 'published', 'advice', 'enough', 'goals', 'searches', 'sweeps', 'perCall', 'trials'],
  ...['skipped', 'damage', 'caveats', 'findings', 'lookedFor', 'comparedSettings', 'serverWork', 'consumption'],
  'servers',
];

const run = word(`A run: ${listedRunWords}.`);
const compare = v.optional(
  about(v.picklist(['targets', 'levels']), 'What ratios compare. Default: as the experiment says.'),
);

const modelOf = async ({ home }: ToolContext, named: string) => loadRun(home, await findListedRun(home, named));

/** The tools that read runs. */
export const resultTools = [
  tool({
    name: 'list_runs',
    title: 'List runs',
    description: 'Lists the runs, the newest first.',
    input: v.strictObject({
      experiment: v.optional(word('Lists only the runs of the experiment with this name.')),
      tag: v.optional(word('Lists only the runs with this tag.')),
      ...pageInput,
    }),
    output: v.object(
      pageOutput(
        v.object({
          id: v.string(),
          experiment: v.string(),
          size: v.nullable(v.string()),
          status: v.string(),
          startedAt: v.string(),
          targets: v.array(v.string()),
          trialsDone: v.number(),
          trialsPlanned: v.nullable(v.number()),
          grade: about(v.nullable(v.string()), 'The grade of its data, with a reason; null: nothing was measured.'),
          title: v.string(),
          tags: v.array(v.string()),
          isBaseline: v.boolean(),
        }),
      ),
    ),
    acts: false,
    async answer({ experiment, tag, ...page }, { home }) {
      const runs = (await openRuns(home).list()).filter(
        ({ name, tags }) =>
          (experiment === undefined || name === experiment) && (tag === undefined || tags.includes(tag)),
      );
      return pageOf(
        runs.map(({ id, name, size, status, startedAt, targets, trialsDone, trialsPlanned, grade, ...one }) => ({
          ...{ id, experiment: name, size, status, startedAt, targets: [...targets], trialsDone, trialsPlanned },
          grade: grade === null ? null : `${grade.level}: ${grade.reason}`,
          ...{ title: one.title, tags: [...one.tags], isBaseline: one.isBaseline },
        })),
        page,
      );
    },
  }),
  tool({
    name: 'read_run',
    title: 'Read the answer of a run',
    description:
      'Returns the answer of a run as `dyno report` prints it: the answer in sentences, the grade of the data, a line for each cell with throughput, interval and ratio, failures, caveats and findings with advice.',
    input: v.strictObject({
      run,
      compare,
      allFindings: v.optional(about(v.boolean(), 'Also lists the checks that found nothing.'), false),
      ...textInput,
    }),
    output: v.object({ run: v.string(), status: v.string(), ...textOutput }),
    acts: false,
    async answer({ run: named, compare: by, allFindings, offset }, context) {
      const model = await modelOf(context, named);
      const text = renderText(model, { compare: by, allFindings });
      return { run: model.runId, status: model.status, ...textPage(text, offset) };
    },
  }),
  tool({
    name: 'read_results',
    title: 'Read a part of the results of a run',
    description:
      'Returns a part of the results of a run, as `dyno report --json` writes them: cells with intervals and percentiles, ratios, findings with their evidence, caveats, trials…',
    input: v.strictObject({ run, part: about(v.picklist(parts), 'The part of the results.'), compare, ...pageInput }),
    output: v.object({ run: v.string(), part: v.string(), ...pageOutput(v.unknown()) }),
    acts: false,
    async answer({ run: named, part, compare: by, offset, limit }, context) {
      const model = await modelOf(context, named);
      const results = resultsJson(model, { compare: by });
      const found = isMapping(results) ? results[part] : null;
      const items: readonly unknown[] = Array.isArray(found) ? found : found == null ? [] : [found];
      return { run: model.runId, part, ...pageOf(items, { offset, limit }) };
    },
  }),
  tool({
    name: 'read_query_plans',
    title: 'Read the query plans of a run',
    description:
      'Returns how the servers executed the statements of a run: each distinct plan with its steps and the cells that used it, or the reason why a cell has none.',
    input: v.strictObject({ run, statement: v.optional(word('Only the plans of this statement.')), ...pageInput }),
    output: v.object({
      run: v.string(),
      ...pageOutput(
        v.object({
          statement: about(v.nullable(v.string()), 'Null: the operation of the variants.'),
          cells: v.array(v.unknown()),
          reason: about(v.nullable(v.string()), 'The reason why there is no plan; null: there is one.'),
          plan: v.unknown(),
        }),
      ),
    }),
    acts: false,
    async answer({ run: named, statement: wanted, ...page }, context) {
      const model = await modelOf(context, named);
      const items = statementPlans(model)
        .filter(({ statement }) => wanted === undefined || statement === wanted)
        .flatMap(({ statement, plans, missing }) => [
          ...plans.map(({ uses, ...plan }) => ({ statement, cells: [...uses], reason: null, plan })),
          ...missing.map(({ reason, ...cell }) => ({ statement, cells: [cell], reason, plan: null })),
        ]);
      return { run: model.runId, ...pageOf<(typeof items)[number]>(items, page) };
    },
  }),
  tool({
    name: 'compare_runs',
    title: 'Compare runs',
    description:
      'Compares runs with a reference: what changed between them, the throughput of each cell, the times of each statement, plans and findings, and whether each difference exceeds those between earlier runs.',
    input: v.strictObject({
      runs: about(
        v.pipe(v.array(run), v.minLength(1), v.maxLength(mostCompared)),
        'The reference, then the other runs. A single run is compared with the pinned baseline of its experiment.',
      ),
      ...textInput,
    }),
    output: v.object(textOutput),
    acts: false,
    async answer({ runs, offset }, { home }) {
      const { comparison, labels } = await comparedFiles(home, await filesOf(home, runs, findListedRun));
      return textPage(renderComparison(comparison, labels, null), offset);
    },
  }),
  tool({
    name: 'read_history',
    title: 'Read the history of an experiment',
    description:
      'Returns an experiment’s results over all of its complete runs: what changed, at which run, and what changed with it.',
    input: v.strictObject({
      experiment: word('The name of an experiment, or one of its runs.'),
      size: v.optional(word('Takes the runs of one of the experiment’s sizes.')),
      last: v.optional(about(v.pipe(v.number(), v.integer(), v.minValue(1)), 'Takes the latest runs only.')),
      since: v.optional(word('Takes the runs since this date only: 2026-11-01.')),
      ...textInput,
    }),
    output: v.object(textOutput),
    acts: false,
    async answer({ experiment, size, last = null, since, offset }, { home }) {
      const named = await experimentCalled(home, experiment, size, findListedRun);
      const history = await openRuns(home).history({ ...named, last, since: momentOf(since) });
      return textPage(renderHistory(history), offset);
    },
  }),
];
