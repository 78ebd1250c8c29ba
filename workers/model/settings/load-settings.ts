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
    help: 'Physical connections. `load` says who calls on them, and when.',
    scope: 'load',
  }),
  processes: defineSetting({
    schema: integer(1, 64),
    default: 1,
    label: 'Processes',
    help: 'Worker processes over which the connections are spread. As many load a large table before it is measured, where the engine loads faster then.',
    scope: 'load',
  }),
  loadFrom: defineSetting({
    schema: v.pipe(v.string(), v.regex(loadFromPattern, 'is no list of load hosts'), v.maxLength(2_000)),
    default: localHostName,
    label: 'Load hosts',
    help: 'The machines that the load comes from, with commas between them: `local` is this one, the others are those of `dyno hosts`. The worker processes are spread over them, one at least on each: by what each machine reaches with an engine that does nothing, or by weights (`local*1, load1*3`).',
    scope: 'load',
  }),
  load: defineSetting({
    schema: v.picklist(loads),
    default: 'closed',
    label: 'Load',
    help: 'closed: a fixed number of users, each of whom waits for the answer, thinks, and calls again. open: units of work arrive at a rate, whether or not the server answers. partlyOpen: sessions of several units arrive at a rate, and think between units.',
    scope: 'load',
  }),
  users: defineSetting({
    schema: integer(0, 1_000_000),
    default: 0,
    label: 'Users',
    words: { 0: 'one per connection' },
    help: 'Virtual users of a closed load. If there are more users than connections, users wait for a free connection. 0: one user per connection.',
    scope: 'load',
    appliesTo: ({ load }) => load === 'closed',
  }),
  arrivals: defineSetting({
    schema: v.picklist(['constant', 'poisson']),
    default: 'poisson',
    label: 'Arrival distribution',
    help: 'constant: at equal intervals. poisson: independent of each other, at exponentially distributed intervals.',
    scope: 'load',
    appliesTo: hasArrivals,
  }),
  arrivalsPerSecond: defineSetting({
    schema: decimal(0, 1_000_000),
    default: 0,
    unit: '1/s',
    label: 'Arrival rate',
    help: 'Units of work (open load: calls that commit by themselves, or transactions) or sessions (partly open load) that arrive each second; may be a fraction.',
    scope: 'load',
    appliesTo: hasArrivals,
  }),
  unitsPerSession: defineSetting({
    schema: decimal(1, 1_000_000),
    default: 1,
    label: 'Units per session',
    help: 'Units of work that a session of a partly open load runs one after another, on average.',
    scope: 'load',
    appliesTo: hasSessions,
  }),
  sessionLength: defineSetting({
    schema: v.picklist(['constant', 'geometric']),
    default: 'geometric',
    label: 'Session length distribution',
    help: 'constant: every session has `unitsPerSession` units. geometric: each unit may be the last one, with equal probability.',
    scope: 'load',
    appliesTo: hasSessions,
  }),
  thinkTime: defineSetting({
    schema: v.picklist(['constant', 'uniform', 'exponential', 'logNormal']),
    default: 'exponential',
    label: 'Think time distribution',
    help: 'Distribution of think times around `thinkMs`. uniform: 0 to twice the mean. logNormal: its standard deviation is its mean.',
    scope: 'load',
    appliesTo: ({ load, hasThinkTime }) => load !== 'open' && hasThinkTime,
  }),
  thinkMs: defineSetting({
    schema: decimal(0, 3_600_000),
    default: 0,
    unit: 'ms',
    label: 'Mean think time',
    help: 'How long a user, or a session, pauses between an answer and its next unit of work.',
    scope: 'load',
  }),
};
