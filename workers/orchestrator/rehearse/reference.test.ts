import { expect, test } from 'vitest';
import { findEngine } from '#engines/catalog.ts';
import { referenceFor } from './reference.ts';

const here = (engine: string, product: string, version: string, missing: readonly string[] = []) =>
  referenceFor(findEngine(engine)!.descriptor, { product, version }, (name) => missing.includes(name));

test('the reference has the product and the version of the server', () => {
  expect(here('postgres', 'PostgreSQL 17.5', '17.5')).toMatchObject({ target: 'postgres@17', isSame: true });
  expect(here('mysql', 'MariaDB 10.11.19', '10.11.19')).toMatchObject({ target: 'mariadb@10.11', isSame: true });
  expect(here('mysql', 'MySQL 8.4.2', '8.4.2')).toMatchObject({ target: 'mysql@8.4', isSame: true });
});

test('without that version here, it is the nearest one of the same product', () => {
  expect(here('postgres', 'PostgreSQL 13.2', '13.2')).toMatchObject({ target: 'postgres@15', isSame: false });
  expect(here('postgres', 'PostgreSQL 17.5', '17.5', ['postgres@17'])).toMatchObject({ isSame: false });
  expect(here('mysql', 'MariaDB 10.5.1', '10.5.1', ['mariadb@10.6'])).toMatchObject({ target: 'mariadb@10.11' });
  expect(here('mysql', 'MySQL 8.4.2', '8.4.2', ['mysql@9', 'mysql@8.4', 'mysql@8.0'])).toBeNull();
});

test('a product that Dyno does not start has none', () => {
  expect(here('sqlserver', 'Microsoft SQL Server 2022', '16.0.4085')).toBeNull();
});
