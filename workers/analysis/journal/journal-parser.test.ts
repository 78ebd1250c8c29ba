import { describe, expect, it } from 'vitest';
import { DynoError } from '#model/error.ts';
import { renderText } from '#presentation/terminal/run-text.ts';
import { type JournalEntry, type JournalRecord, journalVersion } from '#protocol/journal.ts';
import { fixtureJournal, readRun } from '../run-model/run.fixture.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { createJournalParser } from './journal-parser.ts';

const records: readonly JournalRecord[] = [...fixtureJournal({ connections: [1], repeats: 2 })];
const header = records[0]! as Extract<JournalRecord, { readonly record: 'header' }>;
type Result = Extract<JournalRecord, { readonly record: 'result' }>;
const result = records.find((one): one is Result => one.record === 'result')!;
const snapshot = records.find(({ record }) => record === 'snapshot')!;

/** The file's second line. */
function second(line: string): JournalEntry | null {
  const parser = createJournalParser('run.dyno-run');
  parser.parse(JSON.stringify(header), 1);
  return parser.parse(line, 2);
}

const changedResult = (change: object) =>
  second(JSON.stringify({ ...result, result: { ...result.result, ...change } }));

/** The text of a run with modified records. */
function modelOf(change: (record: JournalRecord) => string | null): RunModel {
  const parser = createJournalParser('run.dyno-run');
  return readRun(records.flatMap((record, i) => parser.parse(change(record) ?? JSON.stringify(record), i + 1) ?? []));
}

function refusal(line: string): DynoError['data'] {
  try {
    createJournalParser('run.dyno-run').parse(line, 1);
  } catch (thrown) {
    if (thrown instanceof DynoError) return thrown.data;
    throw thrown;
  }
  return expect.unreachable('it was taken');
}

describe('a line of a run file', () => {
  it('is the record that was written', () => {
    const parser = createJournalParser('run.dyno-run');
    for (const [i, record] of records.entries())
      expect(parser.parse(JSON.stringify(record), i + 1)).toEqual(JSON.parse(JSON.stringify(record)));
  });

  it('is left out and counted where its kind is a newer version’s', () => {
    expect(second('{"record":"weather","sun":true}')).toEqual({ record: 'unknown', line: 2, kind: 'weather' });
    expect(second('{"record":"toString"}')).toMatchObject({ record: 'unknown' });
    const model = modelOf((record) => (record.record === 'calibration' ? '{"record":"weather"}' : null));
    expect(model.damage).toEqual({ lines: 0, messages: [], unknown: 1 });
    expect(renderText(model)).toContain('1 record of the run file is of a kind that this version does not know');
  });

  it.each(['@@@', 'null', '[]', '17', '{"record":7}', '{"record":"end"', '['.repeat(1e6)])(
    'that is no record is damaged: %.20s',
    (line) => {
      expect(second(line)).toEqual({
        record: 'damaged',
        line: 2,
        trial: null,
        message: 'Line 2 cannot be used: it is not a record.',
      });
    },
  );

  it('is damaged if a value has the wrong type, and names the value', () => {
    const { number } = result.result;
    expect(changedResult({ elapsedMs: -1 })).toMatchObject({
      record: 'damaged',
      trial: number,
      message: expect.stringContaining(`Line 2, a result of trial ${number}, cannot be used: result.elapsedMs:`),
    });
    expect(changedResult({ status: 'great' })).toMatchObject({
      message: expect.stringMatching(/result\.status: "great" is none of its values\.$/),
    });
    for (const change of [
      { totals: { ...result.result.totals, service: 'HISTogram' } },
      { totals: { ...result.result.totals, calls: 1e308 } },
      { totals: { ...result.result.totals, rows: 0.5 } },
      { health: null },
      { phaseMs: { measure: 'NaN' } },
      { number: 4_711 },
      { target: 'another' },
      { checks: [{ name: 'x', found: { columns: ['a'], rows: [['1', '2']], count: 1 } }] },
    ])
      expect(changedResult(change)).toMatchObject({ record: 'damaged' });
    expect(second(JSON.stringify({ ...snapshot, trial: 4_711 }))).toMatchObject({ trial: null });
  });

  it('has no members but those that are known', () => {
    const evil = JSON.stringify(result).replace('{"', '{"__proto__":{"polluted":true},"more":1,"');
    expect(second(evil)).toEqual(JSON.parse(JSON.stringify(result)));
    expect({}).not.toHaveProperty('polluted');
  });

  it('that is another header is damaged', () => {
    expect(second(JSON.stringify(header))).toMatchObject({ record: 'damaged' });
  });
});

describe('the header of a run file', () => {
  it('is refused with a remedy', () => {
    const { plan } = header;
    const trial = { ...plan.trials[0]!, number: 2 };
    for (const [line, words] of [
      ['hello', /is not a Dyno run/],
      ['', /is not a Dyno run/],
      ['{"record":"end"}', /is not a Dyno run/],
      [
        '{"record":"header","version":1}',
        /made by another version of Dyno: its format is 1, and this version reads \d+\.$/,
      ],
      [`{"record":"header","version":${journalVersion + 1}}`, /made by another version of Dyno/],
      [JSON.stringify(header).slice(0, -1), /cannot be used: it is not a record/],
      [JSON.stringify({ ...header, at: 'yesterday' }), /cannot be used: at: .*ISO time/],
      [JSON.stringify({ ...header, plan: { ...plan, trials: [trial, trial] } }), /two trials have one number/],
      [JSON.stringify({ ...header, plan: { ...plan, variants: [] } }), /there is no "method=/],
      [
        JSON.stringify({ ...header, plan: { ...plan, targets: Array(2_000).fill(plan.targets[0]) } }),
        /plan.targets: .*1000/,
      ],
      [
        `{"record":"header","version":${journalVersion},"plan":${'['.repeat(1e6)}${']'.repeat(1e6)}}`,
        /it is not a record/,
      ],
    ] as const) {
      const { kind, message, hint } = refusal(line);
      expect(kind).toBe('badInput');
      expect(message).toMatch(words);
      expect(hint).toMatch(/^(Choose|Open|The file is damaged)/);
    }
  });
});

describe('the targets of a header', () => {
  const { plan } = header;
  const withTargets = (targets: typeof plan.targets) => JSON.stringify({ ...header, plan: { ...plan, targets } });

  it('are targets of the experiment, each with its own record', () => {
    const [first, ...others] = plan.targets;
    const far = [{ ...first!, index: 2_000 }, ...others];
    expect(createJournalParser('run.dyno-run').parse(withTargets(far), 1)).toMatchObject({ record: 'header' });
    const alike = plan.targets.map((target) => ({ ...target, index: 3 }));
    expect(refusal(withTargets(alike)).message).toContain('two targets look the same');
    const strangers = plan.experiment.targets.map((_, i) => ({ ...first!, name: `stranger ${i}`, index: 100 + i }));
    expect(refusal(withTargets([...plan.targets, ...strangers])).message).toContain(
      'a target is not in the experiment',
    );
  });
});

describe('a run with damaged lines', () => {
  const { number, variant, target } = result.result;

  it('marks the trial with a damaged result, and shows the others unchanged', () => {
    const model = modelOf((record) =>
      record === result ? JSON.stringify({ ...result, result: { ...result.result, totals: null } }) : null,
    );
    const lost = model.trials.filter(({ damage }) => damage !== null);
    expect(lost.map(({ trial }) => trial.number)).toEqual([number]);
    expect(lost[0]!.result).toBeNull();
    expect(model.trials.filter((view) => view.result !== null)).toHaveLength(model.trials.length - 1);
    expect(model.cells.find((cell) => cell.variant === variant && cell.target === target)?.ok).toBe(1);
    expect(model.caveats).toContainEqual(expect.objectContaining({ title: 'Damaged', cell: { variant, target } }));
    expect(renderText(model)).toMatch(new RegExp(`Damaged:\n {2}trial ${number} \\(.*totals`));
  });

  it('knows the trial of a line that cannot be read at all by the lines around it', () => {
    const model = modelOf((record) => (record === result ? '@@@' : null));
    expect(model.trials.filter(({ damage }) => damage !== null).map(({ trial }) => trial.number)).toEqual([number]);
  });

  it('keeps a result if only a second of its trial is damaged, and reports the damage', () => {
    const model = modelOf((record) => (record === snapshot ? '@@@' : null));
    expect(model.trials.every(({ result: one, damage }) => one !== null && damage === null)).toBe(true);
    expect(model.damage.lines).toBe(1);
    expect(renderText(model)).toContain('Run file damaged: 1 line of the run file cannot be used and is left out.');
  });

  it('names the first lines and counts the others', () => {
    const model = modelOf((record) => (record.record === 'snapshot' ? '@@@' : null));
    expect(model.damage.lines).toBe(records.filter(({ record }) => record === 'snapshot').length);
    expect(model.damage.messages).toHaveLength(3);
    expect(renderText(model)).toContain(`And ${model.damage.lines - 3} more.`);
  });
});
