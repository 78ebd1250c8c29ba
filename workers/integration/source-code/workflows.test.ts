import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { catalog } from '#engines/catalog.ts';
import { installables } from '#managed-servers/install/install.ts';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, '.github/workflows');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Entry {
  readonly engine: string;
  readonly paths: string;
  readonly server?: string;
}

interface Workflow {
  readonly env?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly needs?: string | readonly string[];
        readonly 'runs-on': string;
        readonly strategy?: { readonly matrix: { readonly include: readonly Entry[] } };
        readonly steps: readonly Step[];
      }
    >
  >;
}

const workflows = readdirSync(folder).map(
  (name) => [name, parse(read(`.github/workflows/${name}`)) as Workflow] as const,
);
const checks = workflows.find(([name]) => name === 'checks.yml')?.[1];
const entries = checks?.jobs.engine?.strategy?.matrix.include ?? [];

test.each(workflows)('%s has jobs of steps, which need jobs and run scripts that exist', (_, { jobs }) => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
  for (const [name, { needs = [], steps, ...job }] of Object.entries(jobs)) {
    expect(job['runs-on'], name).toBeTypeOf('string');
    for (const one of [needs].flat()) expect(Object.keys(jobs), name).toContain(one);
    expect(steps.length, name).toBeGreaterThan(0);
    for (const { uses, run = '' } of steps) {
      expect(
        [uses, run || undefined].filter((what) => what !== undefined),
        name,
      ).toHaveLength(1);
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/);
      for (const [, script = ''] of run.matchAll(/npm run (?:--silent )?([\w:-]+)/g))
        expect(scripts).toHaveProperty([script]);
      for (const [, path = ''] of run.matchAll(/(?<![\w/.-])((?:\.ci|workers|electron|experiments)\/[\w./-]+)/g))
        expect(existsSync(join(root, path)), path).toBe(true);
      for (const [, project = ''] of run.matchAll(/--project ([\w-]+)/g))
        expect(read('workers/vitest.config.mjs')).toContain(`name: '${project}'`);
    }
  }
});

test('every engine of the catalog has an entry in the matrix of the checks', () => {
  expect(entries.map(({ engine }) => engine).sort()).toEqual(catalog.map(({ descriptor }) => descriptor.id).sort());
});

test('every path of the checks’ filters exists, and an engine’s own folder is among its paths', () => {
  const window = checks?.jobs.window?.steps.flatMap(({ env }) => env?.PATHS ?? []) ?? [];
  const filters = [checks?.env?.ROOMS ?? '', ...window, ...entries.map(({ paths }) => paths)];
  const paths = filters.flatMap((filter) => filter.split(/\s+/));
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  for (const { engine, paths: own } of entries) expect(own.split(' ')).toContain(`workers/engines/${engine}`);
});

test('a server of the checks is a service of the compose file', () => {
  const compose = parse(read('experiments/docker/compose.yaml')) as { readonly services: object };
  for (const { server } of entries) if (server !== undefined) expect(compose.services).toHaveProperty(server);
});

test('.ci/run installs every tool that a test needs', () => {
  const script = read('.ci/run');
  const missing = installables.map(({ name }) => name).filter((name) => !new RegExp(`\\b${name}\\b`).test(script));
  // Debian has the same series of MariaDB, and one fetched version of a product is enough to test the installation.
  expect(missing).toEqual(['derby@10.17', 'derby@10.14', 'mariadb@10.11']);
});
