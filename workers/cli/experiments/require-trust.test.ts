import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { dyno } from '#integration/cli.fixture.ts';
import { experimentYaml, testHome } from '#integration/home.fixture.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { galleryFolder } from '#platform/paths.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { givenExperiment } from './experiment-text.ts';
import { requireTrust } from './require-trust.ts';

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const yaml = experimentYaml({
  rows: '5',
  workload: '{ operation: statement }',
  statements: '{ wipe: { text: "DELETE FROM {table}" } }',
  measure: '{ until: { calls: 2 }, repeats: 1 }',
  targets: '[sqlite]',
});

it('a file from elsewhere runs after --trust alone, which holds for its content', async () => {
  await using test = testHome();
  const { home } = test;
  const file = join(temporaryFolder(), 'sent.dyno.yaml');
  writeFileSync(file, yaml);
  const refused = await dyno(home, 'run', file);
  expect(refused.code).toBe(exitCodes.badExperiment);
  expect(refused.err).toContain('came from elsewhere');
  expect(refused.err).toMatch(/ wipe\n +\| DELETE FROM \{table\}/);
  expect(refused.err).toContain('--trust');
  expect((await dyno(home, 'try', file, '--trust')).err).not.toContain('came from elsewhere');
  requireTrust(home, { file: parseFile(yaml), path: file }, false);
  const changed = yaml.replace('DELETE FROM {table}', 'DELETE FROM {table} WHERE 1 = 1');
  expect(() => requireTrust(home, { file: parseFile(changed), path: file }, false)).toThrow('WHERE 1 = 1');
});

it('the gallery and experiments in the home are trusted', async () => {
  await using test = testHome();
  const { home } = test;
  const require = (word: string) => requireTrust(home, givenExperiment(home, word), false);
  require('insert-duel');
  require(join(galleryFolder, 'insert-duel.dyno.yaml'));
  const own = join(home.experiments, 'own.dyno.yaml');
  writeFileSync(own, yaml);
  require(own);
  require('own');
});
