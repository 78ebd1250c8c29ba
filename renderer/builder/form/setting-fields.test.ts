import { expect, test } from 'vitest';
import { settingNames } from '#model/settings/settings.ts';
import { formatLevels } from '#planning/variant-of.ts';
import { loadHosts } from '../../state/load-hosts.ts';
import { choiceText, defaultInWords, firstLevels, settingField, settingFields } from './setting-fields.ts';

test('every setting has a field with a title and a description', () => {
  expect(settingFields.map((field) => field.name)).toEqual(settingNames);
  for (const field of settingFields) {
    expect(field.title).not.toBe('');
    expect(field.description).not.toBe('');
  }
});

test('choices and bounds come from the schema', () => {
  expect(settingField('operation')?.options).toContain('insert');
  expect(settingField('connections')).toMatchObject({
    options: [],
    numbers: { whole: true, max: 10_000 },
    defaultValue: '1',
  });
});

test('a new factor begins with none where a setting has it', () => {
  const fields = settingFields.filter(({ options }) => options?.includes('none'));
  expect(fields.length).toBeGreaterThan(0);
  for (const field of fields) expect(firstLevels(field)[0], field.name).toBe('none');
});

test('load hosts begin with this machine, and with another one beside it', () => {
  expect(firstLevels(settingField('loadFrom')!)).toEqual(['local', 'local, load1']);
  const host = { name: 'mine', ssh: { host: 'mine' } };
  loadHosts.set({ hosts: [{ host, lastCheck: null }], problem: null });
  expect(firstLevels(settingField('loadFrom')!)[1]).toBe('local, mine');
  loadHosts.set(null);
});

test('a default with a meaning of its own is shown in words, any other as a number', () => {
  expect(defaultInWords(settingField('users')!)).toBe('one per connection');
  expect(defaultInWords(settingField('nullShare')!)).toBe('as the dataset defines');
  expect(defaultInWords(settingField('connections')!)).toBeUndefined();
});

test('yes and no are called as in the names of variants, other choices as in the file', () => {
  const field = settingFields.find(({ isBoolean }) => isBoolean)!;
  for (const level of [true, false])
    expect(formatLevels({ [field.name]: level })).toBe(`${field.title}: ${choiceText(field, String(level))}`);
  expect(choiceText(settingField('method')!, 'multiRow')).toBe('multiRow');
});
