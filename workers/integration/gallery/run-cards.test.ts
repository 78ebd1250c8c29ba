import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { galleryFolder } from '#platform/paths.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { testHome } from '../home.fixture.ts';
import { readCoverage } from './coverage-table.ts';
import { type CardOutcome, runCards } from './run-cards.ts';

const name = 'secondary-index';
const card = { name, file: parseFile(readFileSync(join(galleryFolder, `${name}.dyno.yaml`), 'utf8')) };
const table = readCoverage(readFileSync(join(galleryFolder, 'README.md'), 'utf8'));

it.skipIf(isSkipped('sqlite'))(
  'runs a card on an engine, goes on where it was ended, and then begins anew',
  async () => {
    await using test = testHome();
    const pass = async (after: number) => {
      const [stop, outcomes] = [new AbortController(), [] as CardOutcome[]];
      await runCards({
        ...{ home: test.home, cards: [card], table, targets: ['sqlite'], signal: stop.signal, note: () => {} },
        onOutcome(one) {
          outcomes.push(one);
          if (outcomes.length === after) stop.abort();
        },
      });
      return outcomes.map(({ card: of, engine, trials, isKept, failures }) => [of, engine, trials, isKept, failures]);
    };
    expect(await pass(1)).toEqual([[name, 'sqlite', 2, false, []]]);
    expect(await pass(2)).toEqual([[name, 'sqlite', 2, true, []]]);
    expect(await pass(1)).toEqual([[name, 'sqlite', 2, false, []]]);
  },
);

it('refuses a target that Dyno cannot start', async () => {
  await using test = testHome();
  const signal = new AbortController().signal;
  const pass = { home: test.home, cards: [card], table, signal, onOutcome: () => {}, note: () => {} };
  await expect(runCards({ ...pass, targets: ['sqllite'] })).rejects.toThrow(
    /^Dyno starts no sqllite\. There are: .*sqlite/,
  );
});
