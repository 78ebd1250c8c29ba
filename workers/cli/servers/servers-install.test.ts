import { expect, it } from 'vitest';
import { chosenBy } from './servers-install.ts';

const wantedBy = (...names: string[]) => chosenBy(names).wanted.map(({ name }) => name);
const chosen = (...names: string[]) => chosenBy(names).chosen.map(({ id }) => id);

it('fetches what is optional only for who names it', () => {
  expect(wantedBy()).toContain('ravendb');
  expect(wantedBy()).not.toContain('ravendb-7');
  expect(wantedBy('ravendb-7')).toEqual(['ravendb-7']);
});

it('takes tools, servers and engines, and fetches nothing for another server of the same engine', () => {
  expect(wantedBy('local-ravendb')).toEqual(['ravendb']);
  expect(wantedBy('local-ravendb-7')).toEqual(['ravendb-7']);
  expect(wantedBy('mongodb', 'sqlfluff')).toEqual(['mongod', 'sqlfluff']);
  expect(() => chosenBy(['access'])).toThrow('access');
});

it('then looks at the servers that it was for', () => {
  expect(chosen('ravendb-7')).toEqual(['local-ravendb-7']);
  expect(chosen('local-mongodb', 'mongod')).toEqual(['local-mongodb']);
  expect(chosen('sqlfluff')).toEqual([]);
  expect(chosen()).toContain('local-ravendb-7');
});
