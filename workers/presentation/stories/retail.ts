import { asWritten, partly, type Story } from './story.ts';

const mix = 'retail-mix';
const written = { experiment: mix };
const [million, published] = [
  { experiment: mix, size: 'one million' },
  { experiment: mix, size: 'as published' },
];

export const retail: Story = {
  id: 'retail-mix',
  title: 'A retail mix on MySQL and SQLFire',
  year: '2012',
  source: 'MySQL against SQLFire on Amazon EC2 with 900 to 5,250 virtual users',
  told: 'A chain of stores with nine foreign keys: buyers who think between two purchases, clerks who list their inventory, analysts who add up turnovers, 850 : 200 : 200 of them. MySQL served 789 requests a second over 19.6 million rows, SQLFire 449 over 934,000, whose keys had to fit in memory. One small SQLFire member served 114 requests a second of 1,050 users and 164 of 900; three members served 151 of 1,050.',
  claims: [
    {
      what: 'MySQL against SQLFire, 5,250 users',
      published: '789 → 449 requests/s',
      isFaster: false,
      press: { experiment: mix },
      kept: null,
      note: 'The published runs had other machines and some twenty times as many rows on MySQL, so that their ratio is not that of the products alone.',
    },
    {
      what: 'A rate that no longer rises can be the limit of the client',
      published: 'a lesson, without figures',
      isFaster: null,
      press: { experiment: 'load-hosts' },
      kept: { experiment: 'load-hosts', from: 'one process', to: 'three processes' },
      note: 'The experiment compares one load generator with three: where three bring more, one was the limit.',
    },
  ],
  items: [
    asWritten('Tables with nine foreign keys', written, 'mysql'),
    asWritten('Buyers who think between two purchases', written, 'mysql'),
    asWritten('Clerks who list the inventory of a store', written, 'mysql'),
    asWritten('Analysts who add up a turnover', written, 'mysql'),
    asWritten('Users in the proportion 850 : 200 : 200', written, 'mysql'),
    asWritten('The statements of each purchase, as published', written, 'mysql'),
    asWritten('19.6 million rows on MySQL', published, 'mysql'),
    asWritten('934,000 rows on SQLFire’s family', million, 'local-snappydata'),
    asWritten('5,250 users that ramp up', published, 'mysql'),
    asWritten('The load at which more users bring no more throughput', { experiment: 'search-saturation' }, 'mysql'),
    asWritten('The same mix on SQLFire’s family', written, 'local-snappydata'),
    asWritten('The same mix on MongoDB', written, 'mongodb'),
    asWritten('The same mix on RavenDB', written, 'ravendb'),
    asWritten('95th and 99th percentiles of each scenario', million, 'mysql'),
    asWritten('A pool of connections that is the limit', { experiment: mix, set: ['workload.connections=2'] }, 'mysql'),
    asWritten('Checks that no piece and no cent is lost', written, 'mysql'),
    asWritten('Wide and narrow keys', { experiment: 'random-key-decay' }, 'local-snappydata', { keyKind: 'sequence' }),
    asWritten('Memory per row', { experiment: 'overflow' }, 'local-snappydata', { 'rows in memory': 'all' }),
    asWritten('Joins against no joins', { experiment: 'join-depth' }, 'local-snappydata', { 'joined tables': '3' }),
    asWritten(
      'Data that look real, and the time that it takes to make them',
      { experiment: 'data-generation' },
      'mysql',
    ),
    partly(
      'Three members',
      { experiment: 'members' },
      'The server that Dyno starts has one member or two, on one machine; three are a cluster of your own.',
      'local-snappydata',
    ),
    asWritten('Synchronous, asynchronous and no persistence', { experiment: 'persistence' }, 'local-snappydata', {
      'drda.persistent': 'async',
    }),
    asWritten('Eviction and overflow', { experiment: 'overflow' }, 'local-snappydata', { 'rows in memory': 'half' }),
    partly(
      'Partitioned, colocated and replicated tables',
      { experiment: 'members' },
      'Replicated and partitioned tables run, with a copy and without; an option is that of all tables of an experiment, so one table cannot be colocated with another of them.',
      'local-snappydata',
    ),
    partly(
      'Garbage collection and heap of the server',
      written,
      'No view of the row store shows them to SQL; the host’s memory and processors are shown, and the memory of each table.',
      'local-snappydata',
    ),
  ],
};
