import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ensureHome, homeOf } from '#platform/paths.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { openLibrary } from '#workspace/library/library.ts';
import { openGate } from '#workspace/trust/gate.ts';
import { openTrust } from '#workspace/trust/trust.ts';
import { createTrustQuestions } from './trust-questions.ts';

const file = parseFile(`dyno: 1
name: Given
question: May it?
dataset: { rows: 10, columns: { id: { type: uuid4 } } }
workload: { operation: insert }
targets: [sqlite]
`);

test('an experiment from elsewhere is asked about until the answer to that question', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dyno-trust-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const home = homeOf({ DYNO_HOME: folder });
  ensureHome(home);
  const trust = openTrust(home, openLibrary(home));
  const questions = createTrustQuestions(trust);
  const gate = openGate(home, trust);
  const ask = () => {
    const judged = gate.experiment({ file }, false);
    return 'foreign' in judged ? questions.questionOf(file, judged.foreign) : null;
  };
  expect(ask()).toBeNull();
  trust.noteForeign(file, null, join(folder, 'sent.dyno.yaml'));
  const question = ask();
  expect(question?.foreign.targets).toEqual(['sqlite: built in, on this machine']);
  expect(question?.foreign.origin?.file, 'the page sees no path').toBe('sent.dyno.yaml');
  questions.trust('another-id');
  expect(ask()).not.toBeNull();
  questions.trust(question!.trustId);
  expect(ask()).toBeNull();
});
