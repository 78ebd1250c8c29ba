import { asWritten, cannot, partly, type Story } from './story.ts';

const duel = 'insert-duel';
const published = { experiment: duel, size: 'published' };
const partitions = 'partitions-against-latches';

export const insertBet: Story = {
  id: 'insert-bet',
  title: 'A bet between MongoDB and SQL Server',
  year: '2011',
  source: 'SQL Server 2008 R2 against MongoDB on a 4-core desktop, 500,000 rows of a GUID and 20 characters',
  told: 'The bet was about the time of 500,000 inserts, without bulk loads. A loop inside the server took 188 s, four connections with a new command for each row 67 s, eight connections 43 s, and eight connections with 1,000 rows per INSERT 4 s. With single rows 99.22 % of the waits were for the log. With batches, writes of the log and page latches took about equal shares, so that a partitioned table was announced as the next step.',
  claims: [
    {
      what: '1,000 rows per INSERT on eight connections against single rows on four',
      published: '67 → 4 s',
      isFaster: true,
      press: { experiment: duel, size: 'published, small' },
      kept: null,
      note: 'An INSERT of 1,000 rows has one round trip and one commit, where single rows have 1,000 of each.',
    },
    {
      what: 'Eight connections instead of one',
      published: 'eight were best, with one row per INSERT',
      isFaster: true,
      press: { experiment: partitions },
      kept: { experiment: partitions, from: '1', to: '8' },
      note: 'The experiment inserts 100 rows per INSERT.',
    },
    {
      what: '32 connections instead of eight',
      published: 'eight were best, with one row per INSERT',
      isFaster: null,
      press: { experiment: partitions },
      kept: { experiment: partitions, from: '8', to: '32' },
      note: 'The experiment inserts 100 rows per INSERT.',
    },
    {
      what: 'Single rows wait for the log',
      published: '99.22 % of the waits are for the log',
      isFaster: null,
      press: { experiment: 'finding-durability' },
      kept: null,
      note: 'The experiment compares commits that wait for the log with commits that do not.',
    },
  ],
  items: [
    asWritten('500,000 rows of a GUID and 20 characters', published, 'sqlserver'),
    asWritten('A loop inside the server', published, 'sqlserver', { method: 'loop in the server' }),
    asWritten('Four connections, one row per INSERT', published, 'sqlserver', {
      method: 'one row, a commit each',
      connections: 4,
    }),
    asWritten('Eight connections, one row per INSERT', published, 'sqlserver', {
      method: 'one row, a commit each',
      connections: 8,
    }),
    asWritten('A sweep from 1 to 32 connections', { experiment: partitions }, 'sqlserver', {
      connections: 32,
    }),
    asWritten('Eight connections, 1,000 rows per INSERT', published, 'sqlserver', {
      method: '1,000 rows per INSERT',
      connections: 8,
    }),
    asWritten('Bulk load, which the bet left out', published, 'sqlserver', { method: 'bulk load, binary' }),
    partly(
      'Arrays of values in one call',
      published,
      'SQL Server takes arrays as JSON text, where Oracle binds them.',
      'sqlserver',
    ),
    partly(
      'The same inserts on MongoDB',
      { experiment: 'insert-duel-every-engine' },
      'MongoDB has no texts that could contain values and no loop in the server, so that three of eight methods run.',
      'mongodb',
    ),
    asWritten('Three repeats of each, and their mean', published, 'sqlserver'),
    asWritten('The share of the log in the waits', published, 'sqlserver'),
    asWritten('Page latches against the log, with batches', { experiment: partitions }, 'sqlserver'),
    asWritten('The limit of 1,000 rows per VALUES list', { experiment: 'rows-per-call' }, 'sqlserver', {
      rowsPerCall: 1000,
    }),
    asWritten('A partitioned table', { experiment: partitions }, 'sqlserver', { partitions: 16 }),
    asWritten('Processor time of the server beside the rate', { experiment: partitions }, 'sqlserver'),
    asWritten('A new connection for each row', { experiment: 'connection-per-call', size: 'inserts' }, 'sqlserver', {
      callsPerConnection: 1,
    }),
    asWritten('Many rows in a transaction', { experiment: 'commit-frequency' }, 'sqlserver'),
    asWritten('NOCOUNT on and off', published, 'sqlserver', { method: 'loop in the server, each row counted' }),
    cannot(
      'Database files of their final size',
      'Dyno changes no files of a database; the size of the files is that of your server.',
    ),
  ],
};
