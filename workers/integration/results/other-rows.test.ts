import { expect, test, vi } from 'vitest';
import { ratios } from '#analysis/compare/compare.ts';
import { resultsJson } from '#cli/results/results-json.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import { renderText } from '#presentation/terminal/run-text.ts';
import { answerOf } from '#presentation/text/answer.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { openRuns } from '#workspace/runs/runs.ts';
import { keeping, sharedHome } from '../shared-home.fixture.ts';
import { reportOf } from './results.fixture.ts';

// Real servers, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

const own = sharedHome(keeping('embedded-postgres'));

async function runOf(statements: string, targets: string, factors = '{}') {
  const run = await newTrustedRun({
    home: own.home,
    yaml: `
dyno: 1
name: Text and number
question: How fast is a look-up by a number that is kept as text?
dataset:
  rows: 2000
  key: id
  columns:
    id: { type: sequence }
    code: { type: code, pattern: '9##' }
    day: { type: timestamp }
workload: { operation: statement }
factors: ${factors}
statements: ${statements}
targets: [${targets}]
measure: { until: { seconds: 0.3 }, repeats: 2, warmupSeconds: 0 }
`,
  });
  await run.start();
  return loadRun(own.home, run.file);
}

/** SQLite compares an expression with a number; PostgreSQL requires a text from the client. */
const byCode = `{ text: 'SELECT id FROM {table} WHERE substr(code, 1, 3) = :n', parameters: { n: { type: integer, min: 900, max: 999 } } }`;
const byId = "{ text: 'SELECT code FROM {table} WHERE id = :id', parameters: { id: { type: key } } }";

test.skipIf(isSkipped('embedded-postgres'))(
  'a target whose statement found nothing is never called faster',
  async () => {
    const model = await runOf(`{ by-code: ${byCode}, by-id: ${byId} }`, 'embedded-postgres, sqlite');
    const sqlite = model.cells.find(({ target }) => target === 'sqlite')!;
    expect(sqlite.rowProblems).toMatchObject([
      {
        kind: 'foundNothing',
        statement: 'by-code',
        rowsPerCall: 0,
        elsewhere: { target: 'embedded-postgres', rowsPerCall: 20 },
      },
    ]);
    expect(model.cells.find(({ target }) => target === 'embedded-postgres')!.rowProblems).toEqual([]);
    const baseline = baselineOf(model);
    expect(ratios(model, baseline).find(({ target }) => target === 'sqlite')).toMatchObject({
      verdict: 'notComparable',
      otherRows: true,
    });
    const answer = answerOf(model, baseline);
    expect(answer).toMatchObject({ lead: 'alone', fastest: { target: 'embedded-postgres' }, bestOnOthers: [] });
    expect(answer.sentences[1]).toBe('Not comparable: sqlite (“by-code” found no row in any call).');
    const words = /“by-code” found no row in any of [\d,]+ calls; on embedded-postgres it returned 20 rows a call\./;
    expect(renderText(model)).toMatch(words);
    expect(reportOf(model)).toMatch(words);
    expect(reportOf(model)).not.toMatch(/\d× faster/);
    expect(model.caveats).toContainEqual(
      expect.objectContaining({ title: 'Found nothing', cell: { variant: 'default', target: 'sqlite' } }),
    );
    const { cells } = resultsJson(model) as { cells: readonly { target: string; notComparable: readonly unknown[] }[] };
    expect(cells.map(({ target, notComparable }) => [target, notComparable.length])).toEqual([
      ['embedded-postgres', 0],
      ['sqlite', 1],
    ]);
  },
);

test('where no cell found a row, none is the fastest', async () => {
  const text = "SELECT id FROM {table} WHERE code = 'none' AND id > :n";
  const none = `{ nothing: { text: "${text}", parameters: { n: { type: integer, min: 1, max: 9 } } } }`;
  const model = await runOf(none, 'sqlite', '{ method: [bind, literal] }');
  const answer = answerOf(model, baselineOf(model));
  expect(answer.fastest).toBeNull();
  expect(answer.headline).toBe('No cell is comparable: “nothing” found no row in any call.');
});

test.skipIf(isSkipped('embedded-postgres'))(
  'targets that return other rows are not compared, and the list of runs names none as fastest',
  async () => {
    const text = (most: number) => `SELECT id FROM {table} WHERE id <= ${most} AND id > :n`;
    const statements = `{ few: { text: { default: '${text(10)}', sqlite: '${text(7)}' }, parameters: { n: { type: integer, min: 0, max: 3 } } } }`;
    const model = await runOf(statements, 'embedded-postgres, sqlite');
    expect(model.cells.map(({ rowProblems }) => rowProblems.map(({ kind }) => kind))).toEqual([
      ['rowsDiffer'],
      ['rowsDiffer'],
    ]);
    expect(answerOf(model, baselineOf(model)).headline).toMatch(
      /^No cell is comparable: “few” returned [\d.]+ rows a call on embedded-postgres, and [\d.]+ on sqlite\.$/,
    );
    const [entry] = await openRuns(own.home).list();
    expect(entry).toMatchObject({ id: model.runId, cells: [] });
  },
);
