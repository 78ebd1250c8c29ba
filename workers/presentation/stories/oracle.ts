import { asWritten, cannot, type Story } from './story.ts';

export const oracle: Story = {
  id: 'oracle-from-jdbc',
  title: 'Binds, arrays and caches on Oracle',
  year: '2013 and 2014',
  source: 'Oracle from Scala over JDBC, and Oracle on Exadata with flash',
  told: 'The default fetch size of 10 rows is far better than one row a call, and still more than six times slower than 100 to 200 rows over a round trip of 200 ms; beyond this the curve is flat. Batches of inserts gained about as much. Updates with their values in the text were compared with binds. On Exadata, the first scan after a change of the cache waited 33.4 s instead of 7.6 s, and a write-back cache made updates four times as fast.',
  claims: [
    {
      what: '100 rows per fetch instead of 10, over 200 ms',
      published: 'more than 6 times as fast',
      isFaster: true,
      press: { experiment: 'fetch-size-far', size: 'published' },
      kept: null,
      note: 'With 100 rows per fetch a result needs a tenth of the round trips that it needs with 10.',
    },
    {
      what: 'The first scan after the cache was emptied',
      published: '7.6 → 33.4 s of waits',
      isFaster: false,
      press: { experiment: 'first-scan' },
      kept: null,
      note: 'The published cache is the storage’s. The experiment empties the server’s own and leaves the file cache of the system full.',
    },
    {
      what: '100 rows per INSERT instead of one, over a far network',
      published: 'a gain of the same order as that of array fetches',
      isFaster: true,
      press: { experiment: 'rows-per-call-far' },
      kept: {
        experiment: 'rows-per-call-far',
        from: 'Rows per call: 1 · Network round trip: 50\u00a0ms',
        to: 'Rows per call: 100 · Network round trip: 50\u00a0ms',
      },
      note: 'The round trip of the experiment is 50 ms.',
    },
  ],
  items: [
    asWritten('Updates with their values in the text', { experiment: 'literal-or-bind' }, 'oracle', {
      method: 'literal',
    }),
    asWritten('The same updates with binds', { experiment: 'literal-or-bind' }, 'oracle', { method: 'bind' }),
    asWritten('Hard parses per execution', { experiment: 'literal-or-bind' }, 'oracle'),
    asWritten('Literals with more and more connections', { experiment: 'literal-or-bind', size: 'sweep' }, 'oracle', {
      connections: 16,
    }),
    asWritten('Fetch sizes from 1 to 5,000', { experiment: 'fetch-size' }, 'oracle', { fetchSize: 5000 }),
    asWritten('Fetch sizes over 200 ms', { experiment: 'fetch-size-far', size: 'published' }, 'oracle', {
      fetchSize: 200,
    }),
    asWritten('Batches of inserts from 1 to 5,000 rows', { experiment: 'rows-per-call', size: 'published' }, 'oracle', {
      rowsPerCall: 5000,
    }),
    asWritten('Batches of inserts over a far network', { experiment: 'rows-per-call-far' }, 'oracle', {
      networkRoundTripMs: 50,
    }),
    asWritten('Latency of a commit from 1 KB to 16 MB', { experiment: 'commit-size', size: 'published' }, 'oracle', {
      rowsPerCall: 16384,
    }),
    asWritten('Logs on flash and on disk', { experiment: 'commit-size', size: 'published' }, 'oracle'),
    asWritten('Sort memory from 64 KB to 64 MB', { experiment: 'sort-memory', size: 'published' }, 'oracle', {
      sortMemoryKb: 65536,
    }),
    asWritten('Bytes of temporary files of a sort', { experiment: 'sort-memory' }, 'oracle'),
    asWritten('A histogram of the reads of temporary files', { experiment: 'sort-memory' }, 'oracle'),
    asWritten(
      'The first scan after the cache was emptied, and the later ones',
      { experiment: 'first-scan' },
      'oracle',
      { before: 'emptied' },
    ),
    asWritten('A table larger than the cache', { experiment: 'first-scan', size: 'published' }, 'oracle'),
    asWritten(
      'Updates as fast as pages leave the memory',
      { experiment: 'update-pressure', size: 'published' },
      'oracle',
      { connections: 64 },
    ),
    asWritten('Waits for free buffers', { experiment: 'update-pressure' }, 'oracle'),
    cannot(
      'Writes with and without a cache on the storage',
      'Dyno does not change the cache of a storage; name two targets with different storage.',
    ),
    asWritten('Plans for the value, and one plan for all values', { experiment: 'bind-sensitivity' }, 'oracle', {
      plan: 'for all values',
    }),
    cannot('The plan of the first bound value', 'Dyno does not choose the value that a server sees first.'),
  ],
};
