import { describe, expect, it } from 'vitest';
import type { LoadHostUse } from '#protocol/measurement.ts';
import { type MadeRun, madeRun, processTime } from '../findings/shared/findings.fixture.ts';
import { machineUseOf } from '../run-model/journal-parts.fixture.ts';
import { gradeOf } from './grade.ts';
import { gradeReasons } from './grade-text.ts';

const grade = (run: MadeRun = {}) => gradeOf(madeRun(run));
const near = (rate: number, repeat: number) => rate * (1 + 0.01 * (repeat % 3));

/** A machine of two processors for 10 s, of which a program used this share. */
const busyWith = (share: number, more: Parameters<typeof machineUseOf>[0] = {}) =>
  machineUseOf({
    busyMs: 19_000,
    dynoMs: 2_000,
    managedServersMs: 0,
    others: [{ name: 'chrome', processes: 3, pid: 41, cpuMs: share * 20_000 }],
    ...more,
  });
const onMachine = (machine: ReturnType<typeof busyWith>, noProcessorMs = 0, more: MadeRun = {}): MadeRun => ({
  ...more,
  trial: ({ repeat }) => ({
    rate: near(1_000, repeat),
    health: {
      processTime: processTime({}),
      pauses: { gcPauses: 0, gcLongestMs: 0, loopLongestMs: 5, noProcessorMs },
    },
    result: { machine },
  }),
});
/** Two targets, of which the second has this trial. */
const second = (trial: MadeRun['trial']): MadeRun => ({
  targets: [{ name: 'Alpha' }, { name: 'Beta' }, { name: 'Gamma' }],
  trial: (of) => ({ rate: near(1_000, of.repeat), ...(of.target === 'Beta' ? trial?.(of) : {}) }),
});

describe('the grade', () => {
  it('is good where no check finds a problem', () => {
    const found = grade({ trial: ({ repeat }) => ({ rate: near(1_000, repeat) }) });
    expect(found).toEqual({ level: 'good', problems: [] });
    expect(gradeReasons(found!)).toEqual(['No check of the data found a problem.']);
  });

  it('names the program that took the processors', () => {
    const found = grade(onMachine(busyWith(0.61), 4_000));
    expect(found).toMatchObject({
      level: 'doNotQuote',
      problems: [{ rule: 'machine', culprit: 'chrome', remedy: null }],
    });
    expect(gradeReasons(found!)).toEqual([
      '“chrome” took 61\u00a0% of the processors’ time, and the client waited for one 40\u00a0% of its time. Run again when the machine is quiet.',
    ]);
  });

  it('follows the share of other programs also where the client did not wait', () => {
    expect(grade(onMachine(busyWith(0.1)))?.level).toBe('good');
    expect(grade(onMachine(busyWith(0.3)))?.level).toBe('usable');
    expect(grade(onMachine(busyWith(0.6)))?.level).toBe('doNotQuote');
    // The machine had processors left.
    expect(grade(onMachine(busyWith(0.3, { busyMs: 12_000 })))?.level).toBe('good');
  });

  it('does not blame a program that may be the server of the user', () => {
    const handshakes = { sameMachine: true, shortestMs: 0.03 };
    const local: MadeRun = { roundTrip: { cheapestMs: 0.1, handshakes } };
    expect(grade(onMachine(busyWith(0.6), 0, local))?.level).toBe('good');
    const waited = grade(onMachine(busyWith(0.6), 2_000, local));
    expect(waited).toMatchObject({ level: 'usable', problems: [{ culprit: 'chrome' }] });
    expect(waited?.problems[0]?.advice).toContain('If “chrome” is the server');
  });

  it('blames no program of this machine where other machines sent the load', () => {
    const machine = busyWith(0.6);
    const loadHosts: LoadHostUse[] = [];
    const of = (noProcessorMs: number) => {
      const made = onMachine(machine, noProcessorMs);
      return grade({ ...made, trial: (one) => ({ ...made.trial?.(one), result: { machine, loadHosts } }) });
    };
    expect(of(0)?.level).toBe('good');
    expect(of(2_000)).toMatchObject({
      level: 'usable',
      problems: [
        { rule: 'machine', culprit: null, reason: expect.stringContaining('too few free processors') as string },
      ],
    });
  });

  it('names the hypervisor, the control group, and processors that nobody used', () => {
    const none = { others: [] };
    expect(
      grade(onMachine(busyWith(0, { ...none, busyMs: 13_000, stealMs: 6_000 }), 3_000))?.problems[0],
    ).toMatchObject({
      culprit: 'the hypervisor',
      reason: expect.stringContaining('30\u00a0% of the processors’ time to other machines') as string,
    });
    expect(grade(onMachine(busyWith(0, { ...none, throttledMs: 8_000 }), 3_000))?.problems[0]).toMatchObject({
      culprit: 'a control group',
    });
    expect(grade(onMachine(busyWith(0, { ...none, busyMs: 2_000 }), 3_000))?.problems[0]?.reason).toContain('idle');
    expect(grade(onMachine(busyWith(0, none), 3_000))?.problems[0]?.reason).toContain(
      'more processors than the machine',
    );
  });

  it('is usable where a grave problem is in fewer than half of the cells', () => {
    expect(grade(second(() => ({ result: { clientSaturated: true } })))).toMatchObject({
      level: 'usable',
      problems: [{ rule: 'client', reason: 'the client was the limit in 1 of 3 cells, so the servers may be faster' }],
    });
    expect(grade({ trial: () => ({ result: { clientSaturated: true } }) })?.level).toBe('doNotQuote');
  });

  it('judges scatter, drift and failed calls by their size', () => {
    const scattered = (by: number) => grade({ trial: ({ repeat }) => ({ rate: 1_000 * (1 + by * (repeat % 2)) }) });
    expect(scattered(0.1)?.level).toBe('good');
    expect(scattered(0.3)).toMatchObject({ level: 'usable', problems: [{ rule: 'highVariability' }] });
    expect(scattered(3)?.level).toBe('doNotQuote');
    const drifting = (to: number) =>
      grade({
        trial: () => ({
          elapsedMs: 40_000,
          seconds: Array.from({ length: 40 }, (_, s) => 1_000 * (1 + ((to - 1) * s) / 40) + (s % 3)),
        }),
      });
    expect(drifting(0.9)).toMatchObject({ level: 'usable', problems: [{ rule: 'notSteady' }] });
    expect(drifting(0.4)?.level).toBe('doNotQuote');
    const failing = (count: number) => grade({ trial: () => ({ totals: { errors: { lockTimeout: count } } }) });
    expect(failing(200)).toMatchObject({ problems: [{ rule: 'errors', level: 'usable' }] });
    expect(failing(5_000)?.level).toBe('doNotQuote');
  });

  it('depends on the number of repeats and on the rows that were found', () => {
    expect(grade({ repeats: 1 })).toMatchObject({ level: 'doNotQuote', problems: [{ rule: 'repeats' }] });
    // A cell of a cancelled run may have fewer.
    const reason = 'no cell has more than 2 trials, so intervals are very wide';
    expect(grade({ repeats: 2 })).toMatchObject({ level: 'usable', problems: [{ rule: 'repeats', reason }] });
    const lost = { outcome: 'mismatch', expectedRows: 10, foundRows: 9, note: '' } as const;
    expect(grade(second(({ repeat }) => (repeat === 1 ? { result: { verification: lost } } : {})))).toMatchObject({
      level: 'doNotQuote',
      problems: [{ rule: 'verification' }],
    });
  });

  it('is none while the run goes on, and without results', () => {
    expect(gradeOf({ ...madeRun(), status: 'running' })).toBeNull();
    const error = { kind: 'serverGone', code: null, message: 'Gone.', hint: null, retryable: false } as const;
    expect(grade({ trial: () => ({ result: { status: 'failed', error } }) })).toBeNull();
  });

  it('says that an emulator’s numbers are not the product’s', () => {
    const { fingerprint } = madeRun().targets[0]!;
    const emulated = { ...fingerprint!, emulator: 'A made-up server' };
    expect(grade({ targets: [{ name: 'Alpha', fingerprint: emulated }] })).toMatchObject({
      level: 'doNotQuote',
      problems: [{ rule: 'emulator' }],
    });
  });
});
