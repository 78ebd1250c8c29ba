import { expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { collect } from '#orchestrator/run/run.fixture.ts';
import { smokeOf } from '#platform/whole.fixture.ts';
import { testHome } from './home.fixture.ts';
import { newTrustedRun } from './trusted.fixture.ts';

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const rows = 300;
/** A UUID, a text of 20 characters of one byte, and a time that is missing in no row. */
const bytesOfRow = 16 + 20 + 8;

const yaml = (target: string) => `dyno: 1
name: Bytes of values
question: Are they counted?
dataset:
  rows: ${rows}
  key: id
  columns:
    id: { type: uuid4 }
    payload: { type: text, length: 20 }
    at: { type: timestamp }
workload: { rowsPerCall: 10 }
factors:
  work:
    insert: { operation: insert, method: multiRow }
    copy: { operation: copy, method: multiRow }
    scan: { operation: scan, method: prepared, rowsPerCall: 1 }
    read: { operation: readByKey, method: prepared }
    update: { operation: update, method: prepared, rowsPerCall: 1 }
targets: [${target}]
measure: { until: { rows: ${rows} }, warmupRows: 0, repeats: 1 }
`;

const engines = [
  ['sqlite', 'sqlite'],
  ['postgres', 'embedded-postgres'],
  ['mysql', 'local-mariadb'],
  ['mongodb', 'local-mongodb'],
] as const;

it.each(smokeOf(engines).filter(([engine]) => !isSkipped(engine)))(
  'on %s each trial knows the bytes of the values that its calls move, and an update none',
  async (_, target) => {
    await using test = testHome();
    const run = await newTrustedRun({ home: test.home, yaml: yaml(target) });
    const { results } = collect(run);
    await run.start();
    const known = new Map(
      results().map(({ variant, status, valueBytes }) => [
        variant,
        { status, ofRow: valueBytes && valueBytes.bytes / valueBytes.rows },
      ]),
    );
    const ran = [...known].filter(([, { status }]) => status === 'ok');
    expect(ran.length).toBeGreaterThan(2);
    for (const [variant, { ofRow }] of ran)
      expect.soft(ofRow, variant).toBe(variant.includes('update') ? undefined : bytesOfRow);
  },
);
