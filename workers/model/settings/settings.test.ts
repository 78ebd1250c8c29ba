import * as v from 'valibot';
import { expect, test } from 'vitest';
import { settingDefinitions, settingNames, tableSettingNames } from './settings.ts';

test.each(settingNames)('%s has a default that its own schema accepts', (name) => {
  const { schema, default: usual } = settingDefinitions[name];
  expect(v.is(schema as v.GenericSchema, usual)).toBe(true);
});

test('trials share a table only where everything that makes it is the same', () => {
  expect(tableSettingNames).toEqual(
    expect.arrayContaining([
      'dates',
      'documents',
      'nullShare',
      'keyKind',
      'keyCreation',
      'partitions',
      'indexCreation',
    ]),
  );
});
