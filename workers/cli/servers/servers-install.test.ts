import { expect, it } from 'vitest';
import { chosenBy } from './servers-install.ts';

const wantedBy = (...names: string[]) => chosenBy(names).wanted.map(({ name }) => name);
const chosen = (...names: string[]) => chosenBy(names).chosen.map(({ id }) => id);

it('takes tools, servers and engines, and fetches nothing for another server of the same engine', () => {
  expect(wantedBy('local-ravendb')).toEqual(['ravendb']);
  expect(wantedBy('local-derby')).toEqual(['derby']);
  expect(wantedBy()).toContain('snappydata');
  expect(wantedBy('mongodb', 'sqlfluff')).toEqual(['mongod', 'sqlfluff']);
  expect(() => chosenBy(['access'])).toThrow('access');
});

it('then looks at the servers that it was for', () => {
  expect(chosen('ravendb')).toEqual(['local-ravendb']);
  expect(chosen('local-mongodb')).toEqual(['local-mongodb']);
  expect(chosen('mongod')).toEqual(['local-mongodb', 'mongodb@8.2']);
  expect(chosen('sqlfluff')).toEqual([]);
  expect(chosen()).toContain('local-ravendb');
});
