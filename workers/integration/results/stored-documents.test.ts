import { expect, test } from 'vitest';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import { comparedSettingsTable } from '#analysis/settings/compared-settings.ts';
import type { Settings } from '#model/settings/settings.ts';
import { anonymise } from '#presentation/report/anonymise.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { modelOf, targets } from './results.fixture.ts';

const withType = targets(
  (target) => ({ ...target, descriptor: { ...target.descriptor, documents: 'jsonb' } }),
  'PostgreSQL',
);

/** The fixture's run with a document in each row; its PostgreSQL has a type for them. */
function run(documents: Settings['documents'], ofMultiRow = documents) {
  const change = (record: JournalRecord): JournalRecord => {
    if (record.record !== 'header') return withType(record);
    const { experiment, variants } = record.plan;
    const details = { type: 'document', fields: { a: { type: 'uuid4', nulls: 0 } }, nulls: 0 } as const;
    const dataset = { ...experiment.dataset, columns: { ...experiment.dataset.columns, details } };
    return {
      ...record,
      plan: {
        ...record.plan,
        experiment: { ...experiment, dataset },
        variants: variants.map(({ settings, ...variant }) => ({
          ...variant,
          settings: { ...settings, documents: settings.method === 'multiRow' ? ofMultiRow : documents },
        })),
      },
    };
  };
  return modelOf(fixtureJournal({ connections: [1] }), change);
}
const row = (model: ReturnType<typeof run>) =>
  comparedSettingsTable(model).find(({ setting }) => setting === 'documents are stored as');

test('the storage of documents on each target is among the conditions if the engine decides it', () => {
  expect(row(run('native'))).toMatchObject({ values: ['jsonb', 'JSON text', null], differs: true });
  expect(row(run('text'))).toBeUndefined();
});

test('a target that stores documents in both ways shows both', () => {
  expect(row(run('text', 'native'))).toMatchObject({ values: ['JSON text; jsonb', 'JSON text', null] });
});

test('without names the type is hidden, but not its existence', () => {
  expect(row(anonymise(run('native')))?.values).toEqual(['its own type', 'JSON text', null]);
});
