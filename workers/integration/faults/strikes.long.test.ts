import { isSkipped } from '#engines/conformance/skipped.ts';
import { whole } from '#platform/whole.fixture.ts';
import { type Moment, type Strike, victims } from './strike.fixture.ts';
import { testStrikes } from './strike-tests.fixture.ts';

const moments = ['schema', 'load', 'warmup', 'measure', 'verify', 'report'] as const satisfies readonly Moment[];
const signals = ['SIGKILL', 'SIGSTOP', 'suspend'] as const;

/** The emulator runs together with clients, and the command writes the report. */
const isThere = (victim: Strike['victim'], phase: Moment): boolean =>
  phase === 'report' ? victim === 'command' : victim !== 'emulator' || !['schema', 'load'].includes(phase);

/** Every process in every phase, with the network between (`npm run test:long -- faults`). */
const matrix: readonly Strike[] = signals.flatMap((signal) =>
  victims
    // A machine that stays stopped reports nothing.
    .filter((victim) => victim !== 'machine' || signal !== 'SIGSTOP')
    .flatMap((victim) => moments.filter((phase) => isThere(victim, phase)).map((phase) => ({ victim, phase, signal }))),
);

/**
 * The strikes of `npm run test:long`, on SQLite. strikes.test.ts has the killed command, run.test.ts the killed client,
 * the stopped control connection and the killed server, process-lifetime.test.ts the killed command in a call,
 * strikes.e2e.ts the killed window.
 */
const selection: readonly Strike[] = [
  { victim: 'machine', phase: 'measure', signal: 'suspend' },
  { victim: 'control', phase: 'warmup', signal: 'SIGKILL' },
];

/** The phases of a trial whose level changes an index, a parameter and a text, on tables with a view. */
const changing = [
  'schema',
  'load',
  'build',
  'settle',
  'setup',
  'prepare',
  'warmup',
  'measure',
  'verify',
] as const satisfies readonly Moment[];

/** Levels with parameters of servers, whose servers are the run's own. */
const withParameters: readonly Strike[] = (['command', 'control', 'supervisor'] as const)
  .flatMap((victim) => changing.map((phase): Strike => ({ victim, phase, signal: 'SIGKILL', parameters: true })))
  .concat({ victim: 'command', phase: 'report', signal: 'SIGKILL', parameters: true });

for (const target of ['embedded-postgres', 'local-mariadb', 'local-mongodb'])
  if (whole && !isSkipped(target)) testStrikes(withParameters, target);

if (whole && !isSkipped('embedded-postgres')) testStrikes(matrix, 'embedded-postgres');
else testStrikes(selection, 'sqlite');
