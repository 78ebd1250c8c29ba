import * as v from 'valibot';
import { loadFromPattern, localHostName } from '../load-hosts.ts';
import { decimal, integer } from '../numbers.ts';
import { type CellFacts, defineSetting } from './setting.ts';
import { loads } from './vocabulary.ts';

const hasArrivals = ({ load }: CellFacts): boolean => load !== 'closed';
const hasSessions = ({ load }: CellFacts): boolean => load === 'partlyOpen';

/** Settings of the load: the number of connections, and when calls start. */
export const loadSettings = {
  connections: defineSetting({
    schema: integer(1, 10_000),
    default: 1,
    label: 'Connections',
    help: 'Number of physical connections. `load` decides when calls use them.',
    scope: 'load',
  }),
  callsPerConnection: defineSetting({
    schema: integer(0, 10_000_000),
    default: 0,
    label: 'Calls per connection',
    words: { 0: 'connections are kept' },
    help: 'Number of calls after which a connection ends its session and opens a new one: before its next call, and never within a transaction. The time of connecting is part of throughput and response times, and of no call’s service time; it has a histogram of its own. 0: connections are kept.',
    scope: 'load',
  }),
  processes: defineSetting({
    schema: integer(1, 64),
    default: 1,
    label: 'Processes',
    help: 'Number of worker processes that share the connections. If the engine loads faster with several processes, they also load large tables before the measurement.',
    scope: 'load',
  }),
  loadFrom: defineSetting({
    schema: v.pipe(v.string(), v.regex(loadFromPattern, 'is no list of load hosts'), v.maxLength(2_000)),
    default: localHostName,
    label: 'Load hosts',
    help: 'Machines that generate the load, separated by commas: `local` is this machine, the others are the hosts of `dyno hosts`. Each machine gets at least one worker process. The others are distributed in proportion to each machine’s rate of no-op calls, or by weights (`local*1, load1*3`).',
    scope: 'load',
  }),
  load: defineSetting({
    schema: v.picklist(loads),
    default: 'closed',
    label: 'Load',
    help: 'closed: a fixed number of users call, wait for the answer, think, and call again. open: units of work arrive at a given rate, even if the server does not answer. partlyOpen: sessions of several units arrive at a given rate and think between units.',
    scope: 'load',
  }),
  users: defineSetting({
    schema: integer(0, 1_000_000),
    default: 0,
    label: 'Users',
    words: { 0: 'one per connection' },
    help: 'Number of virtual users of a closed load. If there are more users than connections, users wait for a free connection. 0: one user per connection.',
    scope: 'load',
    appliesTo: ({ load }) => load === 'closed',
  }),
  arrivals: defineSetting({
    schema: v.picklist(['constant', 'poisson']),
    default: 'poisson',
    label: 'Arrival distribution',
    help: 'constant: units arrive at equal intervals. poisson: units arrive independently, at exponentially distributed intervals.',
    scope: 'load',
    appliesTo: hasArrivals,
  }),
  arrivalsPerSecond: defineSetting({
    schema: decimal(0, 1_000_000),
    default: 0,
    unit: '1/s',
    label: 'Arrival rate',
    help: 'Units of work (open load: calls that commit by themselves, or transactions) or sessions (partly open load) that arrive per second. Fractions are allowed.',
    scope: 'load',
    appliesTo: hasArrivals,
  }),
  unitsPerSession: defineSetting({
    schema: decimal(1, 1_000_000),
    default: 1,
    label: 'Units per session',
    help: 'Mean number of units of work that a session of a partly open load runs one after another.',
    scope: 'load',
    appliesTo: hasSessions,
  }),
  sessionLength: defineSetting({
    schema: v.picklist(['constant', 'geometric']),
    default: 'geometric',
    label: 'Session length distribution',
    help: 'constant: every session has `unitsPerSession` units. geometric: each unit is the last one with equal probability.',
    scope: 'load',
    appliesTo: hasSessions,
  }),
  thinkTime: defineSetting({
    schema: v.picklist(['constant', 'uniform', 'exponential', 'logNormal']),
    default: 'exponential',
    label: 'Think time distribution',
    help: 'Distribution of think times with mean `thinkMs`. uniform: from 0 to twice the mean. logNormal: the standard deviation equals the mean.',
    scope: 'load',
    appliesTo: ({ load, hasThinkTime }) => load !== 'open' && hasThinkTime,
  }),
  thinkMs: defineSetting({
    schema: decimal(0, 3_600_000),
    default: 0,
    unit: 'ms',
    label: 'Mean think time',
    help: 'Mean pause of a user or session between an answer and the next unit of work.',
    scope: 'load',
  }),
};
