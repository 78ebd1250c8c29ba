import { expect, test } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { otherVersions } from './target-fields.ts';

const offered = (target: string): readonly string[] =>
  catalog
    .map(({ descriptor }) => descriptor)
    .filter(({ builtIn }) => builtIn.some((one) => one.target === target))
    .flatMap((engine) => otherVersions(target, engine).map((one) => one.target));

test('each usual target of a product with several versions is offered these versions', () => {
  const products = Map.groupBy(
    catalog.flatMap(({ descriptor }) => descriptor.builtIn.filter(({ version }) => version !== undefined)),
    ({ target }) => target.replace(/@.*/, ''),
  );
  const all = (product: string) => products.get(product)?.map(({ target }) => target);
  expect(offered('embedded-postgres')).toEqual(all('postgres'));
  // The server that this machine has may be a MySQL.
  expect(offered('local-mariadb')).toEqual([...all('mariadb')!, ...all('mysql')!]);
  expect(offered('local-mongodb')).toEqual(all('mongodb'));
  expect(offered('local-derby')).toEqual(all('derby'));
});

test('a target of one version is offered the other versions of its own product alone', () => {
  expect(offered('mysql@8.4')).toEqual(['mysql@9', 'mysql@8.0']);
  expect(offered('derby@10.16')).toEqual(['derby@10.17', 'derby@10.15', 'derby@10.14']);
});

test('a product with one version is offered none', () => {
  for (const target of ['sqlite', 'local-snappydata', 'local-ravendb']) expect(offered(target)).toEqual([]);
});
