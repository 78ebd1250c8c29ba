import type { MadeRun } from '../shared/findings.fixture.ts';

/**
 * A run constructed from published figures, not recorded; only for tests. A migration of 2019 copied 200 rows per
 * second into SQL Server while nulls of a DECIMAL column were declared as DECIMAL of another precision, and 30,000 per
 * second with the nulls declared as DOUBLE. Plans were not published; one plan per statement represents the claim that
 * the declaration was the cause.
 */
export const typedNullRun: MadeRun = {
  dataset: {
    rows: 100_000,
    key: 'id',
    columns: {
      id: { type: 'uuid4', nulls: 0 },
      amount: { type: 'decimal', precision: 12, scale: 2, nulls: 0.5 },
    },
  },
  workload: { operation: 'insert', method: 'bind' },
  factors: { nullBinding: ['asDecimal', 'asFloat'] },
  roundTrip: { cheapestMs: 0.02, handshakes: null },
  targets: [
    {
      name: 'constructed',
      descriptor: {
        id: 'sqlserver',
        label: 'SQL Server',
        nullBindings: {
          asDecimal: { implementation: 'a decimal(38, 0)', methods: ['bind'], converts: ['decimal'] },
          asFloat: { implementation: 'a float', methods: ['bind'], converts: ['decimal'] },
        },
      },
      probeInfo: {
        compilations: { unit: 'count', label: 'SQL Compilations', role: 'hardParses' },
        batches: { unit: 'count', label: 'Batch Requests', role: 'executions' },
      },
    },
  ],
  trial: ({ settings }) => {
    const rate = settings.nullBinding === 'asDecimal' ? 200 : 30_000;
    return { rate, result: { probeDelta: { batches: rate * 10, compilations: rate === 200 ? 2_000 : 2 } } };
  },
};
