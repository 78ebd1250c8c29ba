import { describe, expect, it } from 'vitest';
import { descriptor } from '#engines/postgres/descriptor.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { limitsOf, type Production } from '#model/production.ts';
import { defaultSettings, type Settings } from '#model/settings/settings.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { parseFile } from '../parsed-file.ts';
import { tooMuchText } from './production-load.ts';

const open = (rate: number, more = '') => `load: open, arrivalsPerSecond: ${rate}, connections: 4${more}`;

interface Given {
  readonly load: string;
  readonly own?: string;
  readonly measure?: string;
  readonly production?: Production;
}

const one = 'statements: { s: { text: SELECT 1 } }';

/** The reason why the only variant is left out on a production connection; null: it runs. */
function refusal({ load, own = one, measure = 'until: { seconds: 1 }', production = {} }: Given): string | null {
  const yaml = `
dyno: 1
name: rate
question: How many statements are sent?
workload: { operation: statement, method: bind, ${load} }
${own}
targets: [live]
measure: { repeats: 1, ${measure} }
`;
  const file = parseFile(yaml);
  if (!file.experiment) throw new Error(JSON.stringify(file.diagnostics));
  const connection = { name: 'live', engine: descriptor.id, hue: 2, production };
  const { plan, diagnostics: problems } = planExperiment(file, { catalog: [descriptor], connections: [connection] });
  const first = problems.find(({ severity }) => severity === 'error');
  return plan ? null : (first?.suggestion ?? first?.message ?? '?');
}

const transaction = (steps: string, more = '') => `${one}\ntransactions: { t: { steps: ${steps} } }\n${more}`;

describe('the cap of a production connection counts statements', () => {
  it('of a transaction with its begin and its end', () => {
    expect(refusal({ load: open(25), own: transaction('[s, s]') })).toBeNull();
    expect(refusal({ load: open(26), own: transaction('[s, s]') })).toBe(
      'Up to 104 statements a second are more than the 100 that its production connection allows (“t” sends up to 4).',
    );
  });

  it('of repeated steps, at their most', () => {
    const five = '[{ steps: [s, s, s, s, s], times: 100 }]';
    expect(refusal({ load: open(20), own: transaction(five) })).toContain('“t” sends up to 502 statements');
    const within = '[{ steps: [s, { steps: [s], times: { min: 1, max: 3 } }], times: 2 }]';
    expect(refusal({ load: open(10), own: transaction(within) })).toBeNull();
    expect(refusal({ load: open(10.1), own: transaction(within) })).toContain('Up to 101 statements');
  });

  it('of the longer way of a step that may run', () => {
    const seldom = '[{ steps: [s], probability: 0.99, otherwise: [s, s, s, s, s, s, s, s] }]';
    expect(refusal({ load: open(10), own: transaction(seldom) })).toBeNull();
    expect(refusal({ load: open(11), own: transaction(seldom) })).toContain('(“t” sends up to 10)');
  });

  it('of the largest of several, however rare', () => {
    const rare = `statements: { s: { text: SELECT 1, weight: 1000 } }
transactions: { t: { steps: [s, s, s, s, s, s, s, s], weight: 1 } }`;
    expect(refusal({ load: open(10), own: rare })).toBeNull();
    expect(refusal({ load: open(11), own: rare })).toContain('Up to 110 statements');
    const never = rare.replace('weight: 1 ', 'weight: 0 ');
    expect(refusal({ load: open(90), own: never })).toBeNull();
  });

  it('of a whole pass through a scenario', () => {
    const passes = (more: string) => `${transaction('[s, s]')}scenarios: { visit: { steps: [s, t, ${more} s] } }`;
    expect(refusal({ load: open(16), own: passes('') })).toBeNull();
    expect(refusal({ load: open(17), own: passes('') })).toContain('Up to 102 statements');
    // Four users who pause for 240 ms in a pass of six statements.
    const closed = 'connections: 4, users: 4';
    expect(refusal({ load: closed, own: passes('') })).toContain('Nothing limits');
    expect(refusal({ load: closed, own: passes('{ thinkMs: 240 },') })).toBeNull();
    expect(refusal({ load: closed, own: passes('{ thinkMs: 239 },') })).toContain('statements a second');
    expect(refusal({ load: closed, own: passes('{ thinkMs: { from: 200, to: 9000 } },') })).toContain('Up to 120');
  });

  it('of sessions with all their units', () => {
    const sessions = (rate: number) =>
      `load: partlyOpen, arrivalsPerSecond: ${rate}, unitsPerSession: 5, connections: 4`;
    expect(refusal({ load: sessions(5), own: transaction('[s, s]') })).toBeNull();
    expect(refusal({ load: sessions(5.1), own: transaction('[s, s]') })).toContain('Up to 102 statements');
  });

  it('of users who think, and of the highest stage', () => {
    const thinking = (users: number) => `connections: 4, users: ${users}, thinkMs: 1000`;
    expect(refusal({ load: thinking(25), own: transaction('[s, s]') })).toBeNull();
    expect(refusal({ load: thinking(26), own: transaction('[s, s]') })).toContain('Up to 104');
    const stages = 'stages: [{ seconds: 1, from: 3, to: 1 }]';
    expect(refusal({ load: open(33), measure: stages })).toBeNull();
    expect(refusal({ load: open(34), measure: stages })).toContain('Up to 102');
  });

  it('of calls that share a commit, and of rows that a call has the server write one by one', () => {
    const writing = (settings: Partial<Settings>) =>
      tooMuchText(limitsOf({}), { measure: { until: { seconds: 1 } } } as Experiment, {
        ...defaultSettings,
        ...{ operation: 'insert', load: 'open', ...settings },
      });
    expect(writing({ callsPerCommit: 8, arrivalsPerSecond: 10 })).toBeNull();
    expect(writing({ callsPerCommit: 8, arrivalsPerSecond: 11 })).toContain('(A transaction sends up to 10)');
    const rows = { rowsPerCall: 50, arrivalsPerSecond: 2 };
    expect(writing({ ...rows, method: 'multiRow', arrivalsPerSecond: 100 })).toBeNull();
    expect(writing({ ...rows, method: 'serverLoop' })).toBeNull();
    for (const method of ['serverLoop', 'arrayBind'] as const)
      expect(writing({ ...rows, method, arrivalsPerSecond: 2.2 })).toContain('Up to 110');
  });

  it('and no more processes share it than it has statements', () => {
    expect(refusal({ load: open(1, ', processes: 4'), production: { maxPerSecond: 3 } })).toContain('4 processes');
    expect(refusal({ load: open(1, ', processes: 3'), production: { maxPerSecond: 3 } })).toBeNull();
  });
});
