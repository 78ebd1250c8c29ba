import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { derbyServer } from '#managed-servers/install/products/derby.ts';
import { requireJava } from '#managed-servers/install/products/java-server.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { planContext } from '#workspace/library/plan-context.ts';
import { javaText } from './java-script.ts';
import { makeReproducer } from './make-reproducer.ts';

vi.setConfig({ testTimeout: 120_000 });

const run = promisify(execFile);
const hostile = 'x */ exit(7); // \\u002a/ \\u000aexit(8); " + exit(9) + "\\\\" $(a) `b`';
const lines = `${hostile}\nexit(10);\r\u2028x`;

const yaml = `
dyno: 1
name: ${JSON.stringify(hostile)}
question: ${JSON.stringify(lines)}
dataset:
  rows: 5000
  seed: 9007199254740881
  key: id
  columns:
    id: { type: uuid4 }
    later: { type: uuid7 }
    number: { type: sequence, start: 7 }
    whole: { type: integer, min: -50, max: 4000000000 }
    price: { type: decimal, precision: 12, scale: 2, nulls: 0.2 }
    at: { type: timestamp, from: '1960-01-01', to: '2030-01-01' }
    flag: { type: boolean, trueShare: 0.3 }
    varied: { type: text, minLength: 0, maxLength: 40, alphabet: hex, nulls: 0.1 }
    words: { type: text, minLength: 3, maxLength: 30, alphabet: unicode }
    bytes: { type: bytes, minLength: 1, maxLength: 33 }
    one: { type: oneOf, values: [${JSON.stringify(hostile)}, "it's"] }
workload: { operation: insert }
factors: { kind: { ${JSON.stringify(hostile)}: { method: prepared }, other: { method: literal } } }
targets: [{ name: ${JSON.stringify(hostile)}, engine: postgres, host: h, user: u }]`;

test('a text of Java has one meaning before and after the compiler replaces its escapes', () => {
  expect(javaText('a"b\\u0022;\n\0\u2028é')).toBe('"a\\"b\\\\u0022;\\012\\000\\u2028\\u00e9"');
});

test.skipIf(isSkipped('local-derby'))(
  'a script for Java with hostile names makes the rows that a script for Node makes, and does nothing else',
  async () => {
    const { plan } = planExperiment(parseFile(readYaml(yaml)), planContext());
    const folder = temporaryFolder();
    const written = async (language: 'java' | 'node', ending: string) => {
      const file = join(folder, `Script.${ending}`);
      writeFileSync(file, await makeReproducer(plan!, { language }));
      return file;
    };
    const { java } = requireJava(derbyServer).jdk;
    const byJava = await run(java, [await written('java', 'java'), '--rows', '200']);
    const byNode = await run(process.execPath, [await written('node', 'mjs'), '--rows', '200']);
    const rows = byNode.stdout.trimEnd().split('\n');
    expect(byJava.stdout.trimEnd().split('\n')).toEqual(
      rows.map((row) => (JSON.parse(row) as unknown[]).map(String).join('\t')),
    );
    expect(rows).toHaveLength(200);
  },
);
