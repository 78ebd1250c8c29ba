import { expect, it } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { environmentOf } from './environment.ts';

it('records the installed versions of the engines’ drivers, and of nothing else', () => {
  const { drivers } = environmentOf();
  const packages = catalog.flatMap(({ descriptor }) => descriptor.driverPackage ?? []);
  expect(packages.length).toBeGreaterThan(0);
  expect(Object.keys(drivers)).toEqual(packages);
  for (const version of Object.values(drivers)) expect(version).toMatch(/^\d+\.\d+\.\d+/);
});
