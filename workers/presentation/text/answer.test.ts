import { describe, expect, it } from 'vitest';
import { type MadeRun, madeRun } from '#analysis/findings/shared/findings.fixture.ts';
import type { LoadSummary } from '#analysis/run-model/run-model.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
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
      'Lead certain at 95 % for the measured values, but the client limited 1 other cell, which may be faster',
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
