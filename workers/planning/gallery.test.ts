import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rules } from '#analysis/findings/registry.ts';
import { catalog } from '#engines/catalog.ts';
import { textFor } from '#experiment/statements/statement-mix.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { applyOverrides } from '#experiment/yaml/overrides.ts';
import { readsOnly } from '#model/statements/reads-only.ts';
import { type ParsedFile, parseFile } from '#rules/parsed-file.ts';
import { galleryPage } from './gallery.ts';
import { planExperiment } from './plan-experiment.ts';

const folder = new URL('../../experiments/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.dyno.yaml'));
const parsed = new Map(files.map((name) => [name, parseFile(readFileSync(new URL(name, folder), 'utf8'))]));
const read = (name: string) => parsed.get(name)!;
const descriptors = catalog.map(({ descriptor }) => descriptor);
const planned = (file: ParsedFile) => planExperiment(file, { catalog: descriptors });
const plans = new Map([...parsed].map(([name, file]) => [name, planned(file)]));
const planOf = (name: string) => plans.get(name)!;

describe('the gallery', () => {
  it('has the starter', () => expect(files).toContain('insert-duel.dyno.yaml'));

  it.each(files)('%s is valid, says why it matters, and has a variant to run on every target', (name) => {
    const { experiment } = read(name);
    const { plan, diagnostics } = planOf(name);
    expect(diagnostics).toEqual([]);
    expect(experiment?.about).toContain('**Look at**');
    expect(experiment?.question).toMatch(/\?$/);
    expect(new Set(plan?.trials.map(({ target }) => target))).toEqual(
      new Set(plan?.targets.map(({ name: target }) => target)),
    );
  });

  it.each(files)('%s has a baseline that runs', (name) => {
    const { experiment } = read(name);
    const { plan } = planOf(name);
    const { target, ...levels } = experiment?.baseline ?? {};
    const variant = plan?.variants.find((one) =>
      Object.entries(levels).every(([factor, level]) => one.levels[factor] === level),
    );
    expect(variant).toBeDefined();
    expect(
      plan?.trials.some((trial) => trial.variant === variant?.id && (target === undefined || trial.target === target)),
    ).toBe(true);
  });

  it.each(files)('%s gives every connection as many calls, where rows end a trial', (name) => {
    const { experiment } = read(name);
    const { plan } = planOf(name);
    for (const { id, settings } of plan?.measure.until === 'rows' ? plan.variants : []) {
      const calls = Math.ceil(experiment!.dataset.rows / settings.rowsPerCall);
      const rounds = Math.ceil(calls / settings.connections);
      expect((rounds * settings.connections) / calls, id).toBeLessThan(1.1);
    }
  });

  it.each(files)('%s has a card, and the findings it expects exist', (name) => {
    const { experiment } = read(name);
    expect(experiment?.gallery).toBeDefined();
    expect(rules.map(({ id }) => id)).toEqual(expect.arrayContaining([...experiment!.gallery!.expectedFindings]));
  });

  it.each(files)('%s is valid in each of its sizes', (name) => {
    const { experiment } = read(name);
    for (const size of Object.keys(experiment?.sizes ?? {})) {
      const { plan, diagnostics } = planned(parseFile(setIn(read(name), ['size'], size)));
      expect(diagnostics, size).toEqual([]);
      expect(plan?.trials.length, size).toBeGreaterThan(0);
    }
  });

  it.each(files)('%s runs on an engine, and says of every other why not', (name) => {
    const page = galleryPage(`gallery:${name}`, read(name), descriptors)!();
    expect(page.engines.map(({ id, target }) => `${id}: ${target ?? 'yours'}`)).toEqual([
      ...['postgres: embedded-postgres', 'sqlserver: yours', 'oracle: yours', 'mysql: local-mariadb'],
      ...['mongodb: local-mongodb', 'ravendb: local-ravendb', 'local-derby: local-derby'],
      ...['local-snappydata: local-snappydata', 'sqlite: sqlite'],
    ]);
    expect(page.engines.some(({ cells }) => cells > 0)).toBe(true);
    for (const { id, cells, of, reasons } of page.engines)
      expect(cells + reasons.reduce((sum, { variants }) => sum + variants.length, 0), id).toBe(of);
    expect(page.sizes[0]).toMatchObject({ name: null });
    expect(page.sizes.every(({ seconds }) => seconds.most > 0)).toBe(true);
  });

  it('has texts for document stores that read, or may write, as the SQL beside them does', () => {
    const languageOf = (engine: string) => descriptors.find(({ id }) => id === engine)!.statements!;
    const judged = files.flatMap((name) => {
      const { statements = {}, checks = {} } = read(name).experiment!;
      return [...Object.entries(statements), ...Object.entries(checks)].flatMap(([statement, { text }]) => {
        const reads = (engine: string) => {
          const chosen = textFor(text, { target: engine, engine });
          // A query that brings indexes of its own defines something.
          return chosen === null || chosen.includes('"Indexes"') ? null : readsOnly(chosen, languageOf(engine));
        };
        const sql = reads('postgres');
        return ['mongodb', 'ravendb'].flatMap((engine) => {
          const own = typeof text !== 'string' && Object.hasOwn(text, engine) ? reads(engine) : null;
          return own === null || sql === null ? [] : [{ what: `${name}, ${statement}, ${engine}`, own, sql }];
        });
      });
    });
    expect(judged.filter(({ sql }) => sql).length).toBeGreaterThan(30);
    expect(judged.filter(({ own, sql }) => own !== sql)).toEqual([]);
  });

  it('has each of them in its README, with its question', () => {
    const [readme = ''] = readFileSync(new URL('README.md', folder), 'utf8').split('<!-- begin coverage -->');
    const rows = [...readme.matchAll(/^\| \[[^\]]+\]\(([^)]+)\) \| (.*) \|$/gm)].map(([, file, question]) => [
      file,
      question,
    ]);
    expect(rows.toSorted()).toEqual(files.map((name) => [name, read(name).experiment?.question]).toSorted());
  });

  it('has each CSV file and column from which a parameter takes its values', () => {
    const named = files.flatMap((name) => {
      const text = readFileSync(new URL(name, folder), 'utf8');
      return [...text.matchAll(/type: csv, file: ([\w.-]+), column: (\w+)/g)].map(([, file, column]) => [
        file!,
        column!,
      ]);
    });
    expect(named.length).toBeGreaterThan(0);
    for (const [file, column] of named)
      expect(readFileSync(new URL(file!, folder), 'utf8').split('\n')[0]!.split(','), file).toContain(column);
  });

  it('the starter runs at another size by --set', () => {
    const changed = applyOverrides(read('insert-duel.dyno.yaml'), [
      'dataset.rows=500',
      'measure.until={ seconds: 1 }',
      'measure.repeats=1',
      'targets=noop',
    ]);
    const { plan, diagnostics } = planned(parseFile(changed));
    expect(diagnostics.map(({ severity, path }) => `${severity} ${path}`)).toEqual(['warning baseline.target']);
    expect(plan?.trials).toHaveLength(4);
  });

  it('the starter measures by time, without a reference, each cell once before any twice', () => {
    const { plan } = planOf('insert-duel.dyno.yaml');
    expect(plan?.measure.until).toBe('time');
    expect(plan?.targets.map(({ name }) => name)).toEqual(['embedded-postgres', 'sqlite']);
    const firstRound = plan?.trials.slice(0, 6).map(({ variant, target }) => `${variant} ${target}`);
    expect(new Set(firstRound).size).toBe(6);
    expect(plan?.trials.slice(6).every(({ repeat }) => repeat > 1)).toBe(true);
  });
});
