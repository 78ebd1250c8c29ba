import * as v from 'valibot';
import { expect, test, vi } from 'vitest';
import { fuzz, fuzzCases } from '#stats/random/fuzz.fixture.ts';
import { mutatedJson } from '#stats/random/mutate.fixture.ts';
import { argumentSchemas } from './ipc-arguments.ts';
import { standardChoices } from './report-choices.ts';

const whole = process.env.DYNO_WHOLE === '1'; // workers/platform/whole.fixture.ts
vi.setConfig({ testTimeout: 600_000 });

test('requests of the page: an argument is what its channel takes, or refused', () => {
  const id = 'mine:x';
  const corpus = {
    'experiments:check': { text: 'dyno: 1' },
    'experiments:preview': { text: 'dyno: 1', table: 'table' },
    'runs:annotate': { runId: id, change: { note: 'x', tags: ['y'], isBaseline: true } },
    'history:of': { experiment: 'Insert duel', size: 'small' },
    'history:alike': { runId: 'run-1' },
    'runs:advise': { text: 'dyno: 1', target: null, budgetSeconds: 60, passwords: {}, confirmed: ['h'], changed: [] },
    'runs:exportReport': {
      runId: id,
      ...{ format: 'png', sections: ['answer', 'plans'], title: 'Q4', author: 'A DBA', logo: 'AAAA' },
      ...{ hidesEngines: true, hidesHosts: true, compare: 'levels' },
    },
    'runs:saveScript': { runId: id, target: 'x', variant: 'v', language: 'java' },
    'runs:printReport': { runId: id, ...standardChoices },
    'connections:readUrl': { url: 'postgres://h/d', engine: null },
    'connections:test': { testId: id, tested: { builtIn: 'sqlite' }, passwords: { [id]: { password: 'x' } } },
    'connections:save': {
      draft: {
        id: null,
        name: 'x',
        engine: 'postgres',
        values: { port: 1 },
        passwords: { password: { place: 'ask', typed: null } },
      },
    },
    'hosts:save': { host: { name: 'x', ssh: { host: 'h', user: 'u', port: 1 } }, before: null },
    'hosts:test': { testId: id, host: { name: 'x', nats: 'nats://h', agent: 'k' } },
    'files:save': { name: 'x', format: 'svg', data: 'x' },
  } as const;
  const channels = Object.keys(corpus) as (keyof typeof corpus)[];
  const row = fuzz('request of the page (IPC)', fuzzCases(whole), (random) => {
    const channel = channels[random.below(channels.length)]!;
    const raw = random.below(20) === 0 ? corpus[channel] : mutatedJson(corpus[channel], random);
    const { success, output } = v.safeParse(argumentSchemas[channel] as v.GenericSchema, raw);
    if (success) expect(output).toEqual(raw);
    return success;
  });
  if (whole) console.log(row);
  expect({}).not.toHaveProperty('polluted');
});
