import { expect, test } from 'vitest';
import { commandsIn } from '../missing-servers.ts';
import { orafceAdvice } from './oracle-emulator.ts';

const commandOn = (id: string, version: string | null) => commandsIn(orafceAdvice({ id, version }), () => true);

test('the command that can be copied names the PostgreSQL of the machine’s own distribution', () => {
  expect(commandOn('debian', '12')).toEqual(['sudo apt-get install postgresql-15 postgresql-15-orafce']);
  expect(commandOn('debian', '13')).toEqual(['sudo apt-get install postgresql-17 postgresql-17-orafce']);
  expect(commandOn('arch', null)).toEqual([]);
  expect(orafceAdvice(null)).toContain('apt.postgresql.org');
});
