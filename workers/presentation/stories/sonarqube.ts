import { asWritten, cannot, partly, type Story } from './story.ts';

const [nulls, decay] = ['typed-null', 'random-key-decay'];

export const sonarqube: Story = {
  id: 'migration-to-sql-server',
  title: 'A migration that slowed down on SQL Server',
  year: '2019',
  source: 'The copy step of a migration of 650 million rows to SQL Server, PostgreSQL and Oracle',
  told: 'Rows were read, changed a little and written to another table, with a nullable DECIMAL, a random UUID as key and a BLOB. PostgreSQL and Oracle took some 30,000 rows a second. SQL Server began with 5,000 and fell to 200: an estimate of 14 days for a load that took the others one. Two causes were named: nulls bound as DECIMAL, which the server converted in each row, and a table that was stored in the order of the random key.',
  claims: [
    {
      what: 'Nulls bound as DOUBLE instead of DECIMAL',
      published: '200 → 30,000 rows/s',
      isFaster: true,
      press: { experiment: nulls },
      kept: null,
      note: 'The published conversion is SQL Server’s; add a server of yours as a target.',
    },
    {
      what: 'The rate falls while a table grows in the order of a random key',
      published: '5,000 → 200 rows/s',
      isFaster: false,
      press: { experiment: 'finding-random-key' },
      kept: { experiment: 'finding-random-key', from: 'start', to: 'end' },
      note: 'The published table had 650 million rows with BLOBs; the experiment inserts at most a million rows of a UUID and 20 characters.',
    },
    {
      what: 'No key during the load, and its creation afterwards',
      published: 'the rate stays flat',
      isFaster: null,
      press: { experiment: nulls, size: 'published' },
      kept: null,
      note: 'The time in which the key is created counts as part of the insert.',
    },
  ],
  items: [
    asWritten('Copy rows one by one from one table to another', { experiment: nulls }, 'sqlserver'),
    asWritten('Bind nulls as the type of their column', { experiment: nulls }, 'sqlserver', {
      nullBinding: 'asColumn',
    }),
    asWritten('Bind nulls as another DECIMAL', { experiment: nulls }, 'sqlserver', { nullBinding: 'asDecimal' }),
    asWritten('Bind nulls as DOUBLE', { experiment: nulls }, 'sqlserver', { nullBinding: 'asFloat' }),
    asWritten('Bind nulls as text', { experiment: nulls }, 'sqlserver', { nullBinding: 'asText' }),
    asWritten('Copy rows without nulls', { experiment: nulls }, 'sqlserver', { nullShare: 0 }),
    asWritten('The same copy on PostgreSQL', { experiment: nulls }, 'postgres', { nullBinding: 'asColumn' }),
    asWritten('The same copy on Oracle', { experiment: nulls }, 'oracle', { nullBinding: 'asColumn' }),
    partly(
      'Send a batch of calls in one message to SQL Server, with nulls and values in turn',
      { experiment: 'typed-null-batch' },
      'Where nulls have another type, each call of the message is an sp_executesql; Microsoft’s JDBC driver sends an sp_prepexec for each change of types.',
      'sqlserver',
    ),
    asWritten('The same batch on PostgreSQL', { experiment: 'typed-null-batch' }, 'postgres', {
      'nulls bound as': 'another type',
      nullShare: 0.5,
    }),
    asWritten('A table that is clustered on a random UUID', { experiment: nulls }, 'sqlserver', {
      key: 'rows in its order',
    }),
    asWritten('A primary key beside the rows', { experiment: nulls }, 'sqlserver', { key: 'beside the rows' }),
    asWritten(
      'No key during the load, and its creation afterwards',
      { experiment: nulls, size: 'published' },
      'sqlserver',
      {
        key: 'afterwards',
      },
    ),
    asWritten('Random, time-ordered and sequential keys', { experiment: decay }, 'sqlserver', { keyKind: 'uuid7' }),
    asWritten('The engine’s own sequential GUID as key', { experiment: decay }, 'sqlserver', {
      keyKind: 'uuidSequential',
    }),
    asWritten('Throughput over the rows in the table', { experiment: 'key-uuid4' }, 'sqlserver'),
    asWritten('Payloads of 20 bytes', { experiment: decay, size: 'rows of 20 bytes' }, 'sqlserver'),
    asWritten('Payloads of 1 KB', { experiment: decay, size: 'rows of 1 KB' }, 'sqlserver'),
    asWritten('BLOBs of 8 KB', { experiment: decay, size: 'published' }, 'sqlserver'),
    asWritten('BLOBs of 1 MB', { experiment: decay, size: 'BLOBs of 1 MB' }, 'sqlserver'),
    asWritten('Storage writes while the rate falls', { experiment: 'key-uuid4' }, 'sqlserver'),
    asWritten('Waits for pages while the rate falls', { experiment: 'key-uuid4' }, 'sqlserver'),
    asWritten('Fragmentation and page density of the key', { experiment: 'key-uuid4' }, 'sqlserver'),
    asWritten(
      'Another driver',
      {
        experiment: nulls,
        set: [
          'factors.driver={ tedious: { options: { sqlserver.driver: tedious } }, mssql: { options: { sqlserver.driver: mssql } } }',
        ],
      },
      'sqlserver',
    ),
    asWritten(
      'Another isolation level',
      { experiment: nulls, set: ['factors.isolation=[readCommitted, snapshot]'] },
      'sqlserver',
    ),
    asWritten(
      'Two connections instead of one',
      { experiment: nulls, set: ['factors.connections=[1, 2]'] },
      'sqlserver',
      {
        connections: 2,
      },
    ),
    asWritten(
      'Other numbers of rows per commit',
      { experiment: nulls, set: ['factors.callsPerCommit=[1, 100, 1000]'] },
      'sqlserver',
    ),
    asWritten('Indexes other than the key', { experiment: 'secondary-index' }, 'sqlserver'),
    cannot(
      'Statements that are left open',
      'A session closes the statements that it has prepared when a trial ends, and no setting keeps others open.',
    ),
  ],
};
