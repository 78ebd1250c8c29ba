import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ensureHome, homeOf } from '#platform/paths.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { deadRunsTables, forgetTables, holdTables, isMakerAlive, tablesOf } from './leftovers.ts';

const newHome = () => {
  const home = homeOf({ DYNO_HOME: join(temporaryFolder(), 'home') });
  ensureHome(home);
  return home;
};

test('tables are those of a dead maker when its process has let go, until they are dropped in every place', () => {
  const home = newHome();
  {
    using held = holdTables(home, '0000cafe');
    expect(held.areNoted).toBe(false);
    for (const place of ['a', 'b', 'a']) held.note(place);
    expect(held.areNoted).toBe(true);
    expect(isMakerAlive(home, '0000cafe')).toBe(true);
    expect(deadRunsTables(home)).toEqual([]);
  }
  expect(deadRunsTables(home)).toEqual([{ tag: '0000cafe', places: ['a', 'b'] }]);
  forgetTables(home, '0000cafe', 'a');
  expect(tablesOf(home, '0000cafe')?.places).toEqual(['b']);
  // The lock file of a killed process is removed together with the note.
  writeFileSync(join(home.state, 'tables-0000cafe.lock'), '');
  forgetTables(home, '0000cafe', 'b');
  expect(readdirSync(home.state).filter((name) => name.startsWith('tables-'))).toEqual([]);
});

test('a copy of a home has no tables: nobody there can tell who is alive', () => {
  const home = newHome();
  using held = holdTables(home, '0000cafe');
  held.note('a');
  const copy = newHome();
  rmSync(copy.state, { recursive: true });
  cpSync(home.state, copy.state, { recursive: true });
  expect(existsSync(join(copy.state, 'tables-0000cafe.json'))).toBe(true);
  expect(tablesOf(copy, '0000cafe')).toBeNull();
  expect(deadRunsTables(copy)).toEqual([]);
});

test('what is no note of this kind is nobody’s', () => {
  const home = newHome();
  writeFileSync(join(home.state, 'tables-0000cafe.json'), '{"places":["a"]}');
  writeFileSync(join(home.state, 'tables-%.json'), '{"places":["a"]}');
  expect(deadRunsTables(home)).toEqual([]);
});
