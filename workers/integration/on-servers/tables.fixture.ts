import { expect, test } from 'vitest';
import { tryTrusted } from '#integration/trusted.fixture.ts';
import { smokeOf } from '#platform/whole.fixture.ts';
import type { OnServer } from './server.fixture.ts';
import { runShop, shop, shopOfDataset } from './shop.fixture.ts';

/** Tests that tables with references are created, used, checked and dropped. */
export function testTables(server: OnServer): void {
  const shops = [
    ['tables and a dataset with a name', shopOfDataset],
    ['tables', shop],
  ] as const;
  test.each(smokeOf(shops))('%s are made, sold from, checked and dropped', async (_, experiment) => {
    const { engine, target, home } = server;
    const yaml = experiment(target);
    const [result] = await runShop(home, yaml);
    expect(result?.error).toBeNull();
    expect(result?.status).toBe('ok');
    expect(result!.totals.errors).toEqual({});
    const held = { count: 0 };
    expect(Object.fromEntries(result!.checks!.map(({ name, found }) => [name, found]))).toMatchObject({
      'no-store-is-unknown': engine === 'ravendb' ? null : held,
      'nothing-is-bought-back': held,
    });
    const reports = await tryTrusted({
      home,
      yaml,
      onActivity: () => {},
      signal: AbortSignal.timeout(60_000),
    });
    expect(reports.flatMap(({ error, statements }) => [error, ...statements.map((one) => one.error)])).toSatisfy(
      (errors: readonly ({ readonly kind: string } | null)[]) =>
        errors.every((error) => error === null || error.kind === 'unsupported'),
    );
  });
}
