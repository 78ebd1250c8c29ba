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
  compare: 'levels',
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
    expect(facts[0]![1]).toMatch(/^40\s% slower \(\d+–\d+\s%\)$/u);
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
    expect(headline).toMatch(/^Secondary index: yes is 40\s% slower than no \(\d+–\d+\s%\)$/u);
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
    const { headline, sentences, ...certain } = lead(null);
    expect(certain).toMatchObject({ lead: 'certain', certainty: 'Certain at 95 %' });
    expect(headline).toMatch(
      /^Alpha is 1\.5\d?× \(1\.\d+–1\.\d+\) as fast as Beta and 3\S*× \(\S+–\S+\) as fast as Gamma$/,
    );
    expect(sentences[0]).toBe(`${headline}; certain at 95 %.`);
    expect(sentences[1]).toMatch(/^Best of each: Alpha 3\S* \(\S+\) rows\/s; Beta 2\S* /);
  });

  it('is not called certain where the client limits a slower server, and says so', () => {
    const { lead: state, certainty, headline, sentences } = lead('Gamma');
    expect(state).toBe('clientBound');
    expect(certainty).toBe('The client limited Gamma, which may be faster');
    expect(headline).toMatch(/^Alpha is /);
    expect(sentences[0]).toContain('the client limited Gamma, which may be faster');
  });

  it('says that the client limits the winner, which makes the lead no less certain', () => {
    const { lead: state, certainty } = lead('Alpha');
    expect(state).toBe('certain');
    expect(certainty).toBe('The client limited Alpha, which may be faster than measured');
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
    expect(headline).toMatch(/^Alpha is /);
    expect(sentences.join(' ')).not.toMatch(/(?<!not )certain/i);
    expect(grade).toMatchObject({ level: 'doNotQuote', problems: [{ culprit: 'stress', remedy: null }] });
  });

  /** The cells of these targets carried their whole load; calls of `slow` take `times` as long as the others. */
  const paced = (
    targets: readonly string[],
    { slow = '', times = 1, calls = 10_000 }: { slow?: string; times?: number; calls?: number } = {},
  ) => {
    const run = madeRun({
      targets: Object.keys(rates).map((name) => ({ name })),
      trial: ({ target, repeat }) => ({
        rate: near(calls === 10_000 ? rates[target as keyof typeof rates] : calls / 10, repeat),
        latencyMs: (call) => (target === slow ? times : 1) * (call % 40 === 0 ? 20 : 1) * (1 + 0.01 * (repeat % 3)),
      }),
    });
    const load = { setsThroughput: true } as LoadSummary;
    const cells = run.cells.map((cell) => (targets.includes(cell.target) ? { ...cell, load } : cell));
    return answerOf({ ...run, cells }, baselineOf(run));
  };
  const all = Object.keys(rates);

  it('is a question of response times where the load set the throughput of all', () => {
    const slower = paced(all, { slow: 'Beta', times: 2.5 });
    expect(slower.headline).toMatch(
      /^p99 response time: 50\S*\sms on Beta, 2\.5\d?× slower than Alpha \(2\.\d+–2\.\d+×\)$/u,
    );
    expect([slower.lead, slower.certainty]).toEqual(['certain', 'Certain at 95 % among 2 comparisons of times']);
    expect(slower.details).toEqual(['The load set the throughput of all 3 cells, so that it is not compared.']);
    expect(slower.sentences[0]).toBe(`${slower.headline}; certain at 95 % among 2 comparisons of times.`);
    expect(paced(all, { slow: 'Beta', times: 0.8 }).headline).toMatch(/Beta, 25\s% faster than Alpha \(2\d–2\d\s%\)$/u);
    const equal = paced(all);
    expect(equal.headline).toMatch(
      /^No certain difference of p99 response time: 20\S*\sms on \w+, 1\.00× as long as Alpha \(0\.9\d+–1\.0\d+\)$/u,
    );
    expect([equal.lead, equal.certainty]).toEqual([
      'uncertain',
      'No difference is certain among 2 comparisons of times',
    ]);
  });

  it('has neither throughput nor times to compare where the load set the one, and calls are too few for the other', () => {
    const few = paced(all, { calls: 15 });
    expect(few.headline).toBe('All 3 cells were limited by the offered load, so their throughput cannot be compared');
    expect(few.latency).toBeNull();
  });

  it('stays one of throughput where the load set some, with a sentence about response times', () => {
    const one = paced(['Gamma'], { slow: 'Gamma', times: 3 });
    expect(one.certainty).toBe('The offered load limited Gamma, which may be faster');
    expect(one.headline).toMatch(/^Alpha is .* as fast as Beta; \S+ \(\S+\) the throughput of Gamma, set by the load$/);
    expect(one.sentences.join(' ')).not.toMatch(/faster than .*Gamma/);
    expect(one.details[0]).toMatch(
      /^p99 response time: 60\S*\sms on Gamma, 3\S*× slower than Alpha .*; certain at 95 % among 2/u,
    );
  });

  it('is a question of what the file names', () => {
    const judged = (...judge: NonNullable<RunModel['plan']['experiment']['judge']>) => {
      const run = madeRun({
        targets: Object.keys(rates).map((name) => ({ name })),
        trial: ({ target, repeat }) => ({
          rate: near(rates[target as keyof typeof rates], repeat),
          latencyMs: (call) => (target === 'Beta' ? 3 : 1) * (call % 40 === 0 ? 20 : 1) * (1 + 0.01 * (repeat % 3)),
        }),
      });
      const experiment = { ...run.plan.experiment, judge };
      const model = { ...run, plan: { ...run.plan, experiment } };
      return answerOf(model, baselineOf(model));
    };
    const p99 = judged('p99');
    expect(p99.headline).toMatch(/^p99 service time: 60\S*\sms on Beta, 3\S*× slower than Alpha/u);
    expect(p99.certainty).toBe('Certain at 95 % among 2 comparisons of times');
    const both = judged('throughput', 'p99');
    expect(both.headline).toMatch(/^Alpha is 1\.5\d?× .* as fast as Beta/);
    expect(both.details[0]).toMatch(/^p99 service time: .*; certain at 95 % among 2 comparisons of times\.$/);
    const few = judged('throughput', { statement: 'sell', quantile: 0.9 }, { statement: 'buy', quantile: 0.9999 });
    expect(few.details).toEqual([]);
    const rare = judged('p99', 'max');
    expect(rare.headline).toMatch(/^p99 service time/);
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
    expect(answered(0, 1).headline).toMatch(
      /^No certain difference of p99 response time: .* with Connections: 2, .* as long as Connections: 1 /,
    );
    expect(answered(0).headline).toMatch(/^No certain difference of p99 response time: /);
    expect(answered(0).details).toEqual(['The load set the throughput of 1 of 2 cells, so that it is not compared.']);
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
    expect(cut.details[0]).toMatch(/^Fastest so far: Alpha, /);
    expect(cut.grade).toMatchObject({ level: 'doNotQuote', problems: [{ rule: 'trials', remedy: null }] });
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
    expect(headline).toMatch(/^“sum” takes 75\s% of the time in calls to Server, with 2\.9\s% of the calls$/u);
    expect(statements?.statements.map(({ name, calls }) => [name, calls])).toEqual([
      ['sum', 36],
      ['look', 1_200],
    ]);
    expect(facts[0]?.[0]).toBe('Throughput');
  });

  it('are those of the fastest variant that can be compared, which the answer names', () => {
    const model = smallRun({
      cells: [1, 4].map((connections) => ({
        levels: { connections },
        settings: { operation: 'statement', method: 'prepared' },
        trials: [1, 2, 3].map(() => ({
          perSecond: Array<number>(10).fill(100 * connections),
          more: { statements: [counts('look', 10, 400)] },
        })),
      })),
      more: { statements: { look: { text: 'SELECT 1' } } },
    });
    const [slow, fast] = model.cells.map(({ variant }) => variant);
    const shown = (run: RunModel) => {
      const { fastest, statements } = answerOf(run, baselineOf(run));
      return [fastest?.variant, statements?.cell.variant];
    };
    expect(shown(model)).toEqual([fast, fast]);
    const nothing = { kind: 'foundNothing', isRead: true, calls: 9, rowsPerCall: 0, elsewhere: null } as const;
    const cells = model.cells.map((cell) =>
      cell.variant === fast ? { ...cell, rowProblems: [{ ...nothing, statement: 'look' }] } : cell,
    );
    expect(shown({ ...model, cells })).toEqual([slow, slow]);
  });

  it('show the latency of a statement that is alone', () => {
    expect(of(counts('look', 10, 400)).headline).toMatch(/^“look” on Server, p50 10\.0\sms/u);
  });
});

describe('several targets', () => {
  /** Each target has its peak at a number of connections. */
  const peaks: Readonly<Record<string, readonly [peak: number, rate: number]>> = {
    Alpha: [16, 2_000],
    Beta: [4, 1_000],
    Gamma: [16, 1_990],
  };
  const made = (names: readonly string[], more: Partial<MadeRun> = {}): MadeRun => ({
    targets: names.map((name) => ({ name })),
    factors: { connections: [1, 4, 16] },
    trial: ({ settings: { connections }, target, repeat }) => {
      const [peak, rate] = peaks[target]!;
      return { rate: near(rate * (connections === peak ? 1 : 0.5), repeat) };
    },
    ...more,
  });

  it('are compared by the best variant of each, which is named', () => {
    const { headline, certainty, facts, lead } = answer(made(['Alpha', 'Beta']));
    expect(headline).toMatch(/^Alpha at 16 connections is 2\S*× \(1\.\d+–2\.\d+\) as fast as Beta at 4 connections$/);
    expect([lead, certainty]).toEqual(['certain', 'Certain at 95 % for the best variant of each target']);
    expect(facts.map(([name]) => name)).toEqual(['Best of Alpha', 'Best of Beta', 'Beta against Alpha, by variant']);
    expect(facts[1]![1]).toMatch(/^Connections: 4, 1\S* \(\S+\) rows\/s$/);
    expect(facts[2]![1]).toBe('0.25–1.0×: slower in 2 of 3 variants, no certain difference in 1');
  });

  it('say the variant once where all have the same, and that no difference is shown', () => {
    const { headline, certainty, lead, facts } = answer(made(['Alpha', 'Gamma']));
    expect(headline).toMatch(
      /^No certain difference: Alpha is 1\S*× \(\S+\) as fast as Gamma, both at 16 connections$/,
    );
    expect([lead, certainty]).toEqual(['uncertain', 'Uncertain: Gamma may be as fast']);
    expect(facts[2]).toEqual([
      'Gamma against Alpha, by variant',
      '0.99–1.0×: no certain difference in any variant',
      expect.any(String),
    ]);
  });

  it('that are more than two have their common variant named first', () => {
    const { headline } = answer(
      made(['Alpha', 'Beta', 'Gamma'], {
        trial: ({ settings: { connections }, target, repeat }) => ({
          rate: near(peaks[target]![1] * connections, repeat),
        }),
      }),
    );
    expect(headline).toMatch(
      /^At 16 connections, Alpha is \S+ \(\S+\) as fast as Gamma, not statistically significant; 2\S*× \(\S+\) as fast as Beta$/,
    );
  });

  it('that are two versions of one engine are told apart by their names', () => {
    const engine = { engine: 'postgres' };
    const { headline } = answer({
      targets: [
        { name: 'PostgreSQL 17', ...engine },
        { name: 'PostgreSQL 18', ...engine },
      ],
      trial: ({ target, repeat }) => ({ rate: near(target.endsWith('18') ? 1_200 : 1_000, repeat) }),
    });
    expect(headline).toMatch(/^PostgreSQL 18 is 1\.2\d?× \(\S+\) as fast as PostgreSQL 17$/);
  });

  it('of which one did not finish are not compared with it, and the answer says so', () => {
    const failing = (is: (of: { target: string; connections: number }) => boolean) =>
      answer(
        made(['Alpha', 'Beta'], {
          trial: ({ settings: { connections }, target, repeat }) => ({
            rate: near(target === 'Alpha' ? 2_000 : 1_000, repeat),
            ...(is({ target, connections }) && { result: { status: 'didNotFinish' } as const }),
          }),
        }),
      );
    const none = failing(({ target }) => target === 'Beta');
    expect(none.headline).toMatch(/^Only Alpha has comparable results: /);
    expect([none.lead, none.certainty]).toEqual(['alone', 'Beta has no result']);
    expect(failing(({ target, connections }) => target === 'Beta' && connections === 4).certainty).toBe(
      'Beta has no result for 1 of 3 variants',
    );
  });

  it('have too few repeats for a certain answer', () => {
    const { headline, certainty } = answer(made(['Alpha', 'Beta'], { repeats: 1 }));
    expect(headline).toMatch(/^Alpha at 16 connections is 2\S*× as fast as Beta at 4 connections, too few repeats$/);
    expect(certainty).toBe('Uncertain: with so few repeats, Beta may be as fast');
  });

  it('are named up to three, and counted beyond', () => {
    const names = ['A', 'B', 'C', 'D', 'E', 'F'];
    const { headline, facts } = answer({
      targets: names.map((name) => ({ name })),
      trial: ({ target, repeat }) => ({ rate: near(1_000 * (10 - names.indexOf(target)), repeat) }),
    });
    expect(headline).toMatch(/^A is \S+ \(\S+\) as fast as B; .* as fast as C; .* as fast as D; 2 more in the table$/);
    expect(facts).toHaveLength(4);
  });

  it('are counted where many show no certain difference, and only the nearest is compared', () => {
    const names = ['A', 'B', 'C', 'D', 'E', 'F'];
    const { headline, facts } = answer({
      targets: names.map((name) => ({ name })),
      trial: ({ target, repeat }) => ({ rate: 1_000 * (repeat + 1) - names.indexOf(target) }),
    });
    expect(headline).toMatch(/^No certain difference among 6 targets: A is \S+ \(\S+\) as fast as B$/);
    expect(facts).toHaveLength(4);
  });

  it('are compared by their levels where the file says so', () => {
    const { headline, sentences } = answer(made(['Alpha', 'Beta'], { compare: 'levels' }));
    expect(headline).toMatch(/^Fastest: Connections: 16 on Alpha, /);
    expect(sentences[1]).toMatch(/^Against Connections: 1: Connections: 16 on Alpha .*; Connections: 4 on Beta /);
  });
});

it('goals are told after the headline, those that are missed first', () => {
  const run = madeRun({
    targets: [{ name: 'Alpha' }, { name: 'Beta' }],
    trial: ({ target, repeat }) => ({
      rate: near(1_000, repeat),
      latencyMs: () => (target === 'Beta' ? 30 : 10) * (1 + 0.01 * (repeat % 3)),
    }),
  });
  const withGoals = (goals: RunModel['plan']['experiment']['goals']) => {
    const model = { ...run, plan: { ...run.plan, experiment: { ...run.plan.experiment, goals } } };
    return answerOf(model, baselineOf(model));
  };
  const { details, sentences } = withGoals({ p99Ms: 20, errorsPercent: 1 });
  expect(details[0]).toBe('Goals: Beta misses p99 ≤ 20 ms; Alpha meets all.');
  expect(sentences[1]).toBe(details[0]);
  expect(withGoals({ p99Ms: 20, of: 'none' }).details).toEqual([]);
  expect(withGoals(undefined).details).toEqual([]);
});

describe('prices', () => {
  const run = madeRun({
    targets: servers,
    trial: ({ target, repeat }) => ({ rate: near(target === 'Beta' ? 1_000 : 2_000, repeat) }),
  });
  const withPrices = (prices: RunModel['plan']['experiment']['prices'], model: RunModel = run) => {
    const priced = { ...model, plan: { ...model.plan, experiment: { ...model.plan.experiment, prices } } };
    return answerOf(priced, baselineOf(priced));
  };

  it('add the cost to the answer, with the target that completes the most for its price', () => {
    const { headline, details, sentences } = withPrices({ currency: 'EUR', perHour: { Alpha: 7.2, Beta: 1.8 } });
    expect(headline).toMatch(/^Alpha is 2\.\d+× \(.*\) as fast as Beta$/);
    expect(details[0]).toMatch(
      /^For one EUR, Beta completes 2\.\d+× \(1\.\d+–2\.\d+\) as many rows as Alpha\. A million rows cost 0\.\d+\sEUR \(.*\) on Beta and 0\.\d+\sEUR \(.*\) on Alpha\.$/u,
    );
    expect(sentences[1]).toBe(details[0]);
  });

  it('make no claim where the costs may be equal', () => {
    const [detail] = withPrices({ perHour: { Alpha: 2, Beta: 1 } }).details;
    expect(detail).toMatch(
      /^For one unit of money, \w+ completes 1\.\d+× \(.*\) as many rows as \w+, not statistically significant\./,
    );
  });

  it('name the targets without a price, and compare nothing with them', () => {
    expect(withPrices({ currency: '$', perHour: { Beta: 1.8 } }).details[0]).toMatch(
      /^A million rows cost 0\.\d+\s\$ \(.*\) on Beta\. Alpha has no price\.$/u,
    );
    expect(withPrices({ perHour: {} }).details).toEqual([]);
    expect(withPrices({ perHour: { gone: 1 } }).details).toEqual([]);
  });

  it('say where the load set the throughput, and so the cost', () => {
    const load = { setsThroughput: true } as LoadSummary;
    const loaded = { ...run, cells: run.cells.map((cell) => ({ ...cell, load })) };
    expect(withPrices({ currency: 'EUR', perHour: { Alpha: 7.2, Beta: 1.8 } }, loaded).details.join(' ')).toMatch(
      /as many rows as Alpha, set by the load\. A million rows cost 0\.\d+\sEUR \(.*\) on Beta \(set by the load\) and/u,
    );
  });
});

it('a search whose calls found nothing at its answer is not comparable, whatever load it found', () => {
  const run = madeRun({ targets: [{ name: 'Alpha' }, { name: 'Beta' }] });
  const search = { find: 'saturation', setting: 'connections', from: 1, to: 8, relativeStep: 0.05 } as const;
  const answer = { value: 4, low: 2, high: 8 };
  const searches = run.cells.map(({ target, variant }) => ({
    ...{ target, others: {}, label: '', trials: 5, error: null, at: { load: 4, variant } },
    end: { reason: 'found', at: 0, answer },
  }));
  const nothing = { kind: 'foundNothing', isRead: true, calls: 9, rowsPerCall: 0, elsewhere: null } as const;
  const model = {
    ...run,
    plan: { ...run.plan, measure: { ...run.plan.measure, search } },
    searches,
    cells: run.cells.map((cell) =>
      cell.target === 'Alpha' ? { ...cell, rowProblems: [{ ...nothing, statement: 'look' }] } : cell,
    ),
  } as unknown as RunModel;
  const { headline, details } = answerOf(model, baselineOf(model));
  expect(headline).toBe('Alpha: not comparable: its calls found nothing, or other rows or answers than elsewhere.');
  expect(details[0]).toMatch(/^Beta: throughput stops rising at 4 /);
});

it('calls no time certain where the data is not to be quoted', () => {
  const stress = { name: 'stress', processes: 1, pid: 7, cpuMs: 15_000 };
  const run = madeRun({
    targets: [{ name: 'Alpha' }, { name: 'Beta' }],
    trial: ({ target, repeat }) => ({
      rate: near(1_000, repeat),
      latencyMs: () => (target === 'Beta' ? 4 : 1) * (1 + 0.01 * (repeat % 3)),
      result: { machine: machineUseOf({ busyMs: 19_800, others: [stress] }) },
    }),
  });
  for (const judge of [['p99'], ['throughput', 'p99']]) {
    const model = { ...run, plan: { ...run.plan, experiment: { ...run.plan.experiment, judge } } };
    const { sentences } = answerOf(model as unknown as RunModel, baselineOf(run));
    expect(sentences.join(' ')).toMatch(/p99 service time: .*; not certain, because the data is not to be quoted/);
    expect(sentences.join(' ')).not.toMatch(/(?<!not )certain at/i);
  }
});

it('of several judged times, the headline names the largest certain difference of the highest percentile', () => {
  const run = madeRun({
    targets: [{ name: 'Alpha' }, { name: 'Beta' }],
    trial: ({ target, repeat }) => ({
      rate: near(1_000, repeat),
      latencyMs: (call) =>
        (target === 'Beta' ? 4 : 1) * (call % 40 === 0 ? (target === 'Beta' ? 10 : 20) : 1) * (1 + 0.01 * (repeat % 3)),
    }),
  });
  const model = {
    ...run,
    plan: { ...run.plan, experiment: { ...run.plan.experiment, judge: ['p50', 'p99'] as const } },
  };
  // p50 differs four times, and p99 twice.
  expect(answerOf(model as unknown as RunModel, baselineOf(run)).headline).toMatch(
    /^p99 service time: 40\S*\sms on Beta, 2\S*× slower/u,
  );
});
