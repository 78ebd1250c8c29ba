import { describe, expect, it } from 'vitest';
import { type MadeRun, madeRun } from '#analysis/findings/shared/findings.fixture.ts';
import { smallRun } from '#analysis/findings/shared/small-run.fixture.ts';
import { machineUseOf, timesOf } from '#analysis/run-model/journal-parts.fixture.ts';
import type { LoadSummary, RunModel } from '#analysis/run-model/run-model.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import type { StatementCounts } from '#protocol/measurement.ts';
import { answerOf } from './answer.ts';

const answer = (made: MadeRun) => {
  const run = madeRun(made);
  return answerOf(run, baselineOf(run));
};

/** Repeats that vary by 1 %. */
const near = (rate: number, repeat: number) => rate * (1 + 0.005 * (repeat % 3));

const servers = [{ name: 'Alpha' }, { name: 'Beta' }];
/** A secondary index costs Alpha 40 % and Beta nothing; Beta is the faster server. */
const index: MadeRun = {
  factors: { 'secondary index': { no: {}, yes: { fetchSize: 7 } } },
  targets: servers,
  trial: ({ settings, target, repeat }) => ({
    rate: near(target === 'Beta' ? 5_000 : settings.fetchSize === 7 ? 600 : 1_000, repeat),
  }),
};

describe('a sole factor of two levels', () => {
  it('is the question: its levels are compared on each server, and no server with another', () => {
    const { headline, lead, certainty, facts, sentences } = answer(index);
    expect(headline).toMatch(
      /^Secondary index: yes against no: 40\s% slower on Alpha, no significant difference on Beta$/u,
    );
    expect(lead).toBe('uncertain');
    expect(facts[0]![0]).toBe('On Alpha');
    expect(facts[0]![1]).toMatch(/^40\s% slower \(0\.\d+–0\.\d+×\)$/u);
    expect(certainty).toBe('Uncertain on Beta');
    expect(sentences.join(' ')).not.toMatch(/(faster|slower) than .* on (Alpha|Beta)/);
    expect(sentences[1]).toMatch(/^Fastest measured: Secondary index: \w+ on Beta, /);
  });

  it('says that a difference which it names is not certain among all of them', () => {
    const targets = ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => ({ name }));
    const { headline, certainty } = answer({
      ...index,
      targets,
      repeats: 5,
      trial: ({ settings, target, repeat }) => ({
        rate: (target === 'A' && settings.fetchSize === 7 ? 905 : 1_000) * (1 + 0.05 * Math.sin(repeat * 2)),
      }),
    });
    expect(headline).toMatch(/not statistically significant on 5 of 6 targets, slower on 1$/);
    expect(certainty).toBe(
      'Uncertain on 6 targets; a difference that is named there holds by itself, not for all comparisons together',
    );
  });

  it('counts servers that are too many for a sentence, and lists them', () => {
    const targets = ['A', 'B', 'C', 'D', 'E'].map((name) => ({ name }));
    const { headline, facts } = answer({
      ...index,
      targets,
      trial: ({ settings, repeat }) => ({ rate: near(settings.fetchSize === 7 ? 600 : 1_000, repeat) }),
    });
    expect(headline).toBe('Secondary index: yes against no: slower on 5 of 5 targets');
    expect(facts.filter(([name]) => name.startsWith('On '))).toHaveLength(5);
  });

  it('is certain on one server where the repeats say so', () => {
    const { headline, certainty, lead } = answer({ ...index, targets: [{ name: 'Alpha' }] });
    expect(headline).toMatch(/^Secondary index: yes is 40\s% slower than no \(\S+×\)$/u);
    expect([lead, certainty]).toEqual(['certain', 'Certain at 95 %']);
  });

  it('tells that the client limits one of the levels', () => {
    const { lead, certainty } = answer({
      ...index,
      targets: [{ name: 'Alpha' }],
      trial: ({ settings, repeat }) => ({
        rate: near(settings.fetchSize === 7 ? 600 : 1_000, repeat),
        result: { clientSaturated: settings.fetchSize !== 7 },
      }),
    });
    expect(lead).toBe('clientBound');
    expect(certainty).toContain('The client limited the throughput');
  });
});

describe('the lead of several cells', () => {
  const rates = { Alpha: 3_000, Beta: 2_000, Gamma: 1_000 } as const;
  const lead = (saturated: keyof typeof rates | null) =>
    answer({
      targets: Object.keys(rates).map((name) => ({ name })),
      trial: ({ target, repeat }) => ({
        rate: near(rates[target as keyof typeof rates], repeat),
        result: { clientSaturated: target === saturated },
      }),
    });

  it('is certain where no client limits it', () => {
    expect(lead(null)).toMatchObject({ lead: 'certain', certainty: 'Lead certain at 95 % over all 2 other cells' });
  });

  it('is not called certain where the client limits a slower server, and says so', () => {
    const { lead: state, certainty, headline, sentences } = lead('Gamma');
    expect(state).toBe('clientBound');
    expect(certainty).toBe(
      'The measured lead is significant at 95 %, but the client limited 1 other cell, which may be faster',
    );
    expect(headline).toMatch(/^Fastest measured: Alpha/);
    expect(sentences[0]).toContain('the client limits 1 other cell, which may be faster');
  });

  it('says that the client limits the winner, which makes the lead no less certain', () => {
    const { lead: state, certainty, sentences } = lead('Alpha');
    expect(state).toBe('certain');
    expect(certainty).toContain('the client limits the fastest, which may be faster');
    expect(sentences[0]).toMatch(/; the client limits it\.$/);
  });

  it('is not called certain where the data is not to be quoted', () => {
    const stress = { name: 'stress', processes: 1, pid: 7, cpuMs: 15_000 };
    const {
      lead: state,
      certainty,
      headline,
      sentences,
      grade,
    } = answer({
      targets: Object.keys(rates).map((name) => ({ name })),
      trial: ({ target, repeat }) => ({
        rate: near(rates[target as keyof typeof rates], repeat),
        result: { machine: machineUseOf({ busyMs: 19_800, others: [stress] }) },
      }),
    });
    expect([state, certainty]).toEqual(['doNotQuote', 'Not certain, because the data is not to be quoted']);
    expect(headline).toMatch(/^Fastest measured: Alpha/);
    expect(sentences.join(' ')).not.toMatch(/(?<!not )certain/i);
    expect(grade).toMatchObject({ level: 'doNotQuote', problems: [{ culprit: 'stress', remedy: 'runAgain' }] });
  });

  it('is no question of speed where the load set the throughput of all', () => {
    const paced = (...targets: readonly string[]) => {
      const run = madeRun({
        targets: Object.keys(rates).map((name) => ({ name })),
        trial: ({ target, repeat }) => ({ rate: near(rates[target as keyof typeof rates], repeat) }),
      });
      const load = { setsThroughput: true } as LoadSummary;
      const cells = run.cells.map((cell) => (targets.includes(cell.target) ? { ...cell, load } : cell));
      return answerOf({ ...run, cells }, baselineOf(run));
    };
    expect(paced('Alpha', 'Beta', 'Gamma').headline).toBe(
      'All 3 cells were limited by the offered load, so their throughput cannot be compared',
    );
    const one = paced('Gamma');
    expect(one.certainty).toBe('The offered load limited 1 other cell, which may be faster');
    expect(one.headline).toMatch(/^Highest throughput: Alpha/);
    expect(one.sentences.join(' ')).not.toMatch(/faster than .*Gamma/);
  });

  it('does not compare the levels of a sole factor whose loads were met', () => {
    const answered = (...variants: readonly number[]) => {
      const run = madeRun({
        targets: [{ name: 'Alpha' }],
        factors: { connections: [1, 2] },
        trial: ({ settings, repeat }) => ({ rate: near(100 * settings.connections, repeat) }),
      });
      const load = { setsThroughput: true } as LoadSummary;
      const isPaced = (id: string) => variants.includes(run.plan.variants.findIndex((one) => one.id === id));
      const cells = run.cells.map((cell) => (isPaced(cell.variant) ? { ...cell, load } : cell));
      return answerOf({ ...run, cells }, baselineOf(run));
    };
    expect(answered().headline).toMatch(/Connections: 2 is 2.* faster than 1/);
    expect(answered(0, 1).headline).toBe(
      'All 2 cells were limited by the offered load, so their throughput cannot be compared',
    );
    expect(answered(0).headline).toMatch(/^Highest throughput: Connections: 2/);
    expect(answered(0).certainty).toContain('may be faster');
  });
});

describe('a run without enough trials', () => {
  const run = (status: RunModel['status'], measured: (trial: number) => boolean) => {
    const whole = madeRun({ targets: [{ name: 'Alpha' }, { name: 'Beta' }], repeats: 3 });
    const trials = whole.trials.map((view) => (measured(view.trial.number) ? view : { ...view, result: null }));
    const cells = whole.cells.map((cell) => {
      const ok = trials.filter(({ trial, result }) => trial.target === cell.target && result !== null).length;
      return { ...cell, ok, rowsPerSecond: ok === 0 ? null : cell.rowsPerSecond };
    });
    const model = { ...whole, status, trials, cells };
    return answerOf(model, baselineOf(model));
  };

  it('says how far it came, in place of a comparison', () => {
    const cut = run('cancelled', (number) => number <= 2);
    expect(cut.headline).toBe('Cancelled: 2 of 6 trials, no comparison');
    expect([cut.lead, cut.certainty]).toEqual([null, null]);
    expect(cut.details[0]).toMatch(/^Measured so far: /);
    expect(cut.grade).toMatchObject({ level: 'doNotQuote', problems: [{ rule: 'trials', remedy: 'resume' }] });
    expect(run('interrupted', () => false).headline).toBe('Interrupted: 0 of 6 trials, no comparison');
    expect(run('running', (number) => number <= 1).headline).toBe('Running: 1 of 6 trials, no comparison yet');
    expect(run('complete', () => false).headline).toBe('Failed: none of 6 trials has a result');
  });

  it('keeps its comparison if most trials have a result, and names the missing trials beside it', () => {
    const cut = run('cancelled', (number) => number <= 5);
    expect(cut.headline).toMatch(/Alpha/);
    expect(cut.grade?.problems[0]).toMatchObject({ level: 'usable', reason: 'cancelled: 5 of 6 trials' });
  });
});

describe('custom statements on one server', () => {
  const counts = (name: string, ms: number, calls: number): StatementCounts => ({
    ...{ name, kind: 'statement', calls, rows: calls, errors: {}, failed: null },
    service: timesOf([ms, calls]),
  });
  const of = (...statements: readonly StatementCounts[]) => {
    const model = smallRun({
      cells: [
        {
          settings: { operation: 'statement', method: 'prepared', connections: 2 },
          trials: [1, 2, 3].map(() => ({ perSecond: Array<number>(10).fill(100), more: { statements } })),
        },
      ],
      more: { statements: Object.fromEntries(statements.map(({ name }) => [name, { text: 'SELECT 1' }])) },
    });
    return answerOf(model, baselineOf(model));
  };

  it('are the answer: the statement with the most time comes first', () => {
    const { headline, statements, facts } = of(counts('look', 10, 400), counts('sum', 1_000, 12));
    expect(headline).toMatch(/^“sum” takes 75\.0\s% of the time in calls to Server, with 2\.91\s% of the calls$/u);
    expect(statements?.statements.map(({ name, calls }) => [name, calls])).toEqual([
      ['sum', 36],
      ['look', 1_200],
    ]);
    expect(facts[0]?.[0]).toBe('Throughput');
  });

  it('show the latency of a statement that is alone', () => {
    expect(of(counts('look', 10, 400)).headline).toMatch(/^“look” on Server, p50 10\.0\sms/u);
  });
});
