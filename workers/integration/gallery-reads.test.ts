import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { catalog } from '#engines/catalog.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { textFor } from '#experiment/statements/statement-mix.ts';
import { mayWriteText } from '#model/statements/reads-only.ts';

const folder = new URL('../../experiments/', import.meta.url);
const engines = catalog.flatMap(({ descriptor: { id, statements } }) =>
  statements?.language === 'sql' ? [{ id, language: statements }] : [],
);

/** Distinct SQL texts of the gallery, by engine. */
const texts = readdirSync(folder)
  .filter((name) => name.endsWith('.dyno.yaml'))
  .flatMap((name) => {
    const { statements = {}, checks = {} } = parse(readFileSync(new URL(name, folder), 'utf8')) as Experiment;
    return [...Object.values(statements), ...Object.values(checks)].flatMap(({ text }) =>
      engines.flatMap(({ id, language }) => {
        const chosen = textFor(text, { target: id, engine: id });
        return chosen === null ? [] : [{ chosen, why: mayWriteText(chosen, language) }];
      }),
    );
  });
const begins = (pattern: RegExp) => texts.filter(({ chosen }) => pattern.test(chosen));

test('every query of the gallery reads, but for those that take locks', () => {
  const refused = begins(/^\s*select/i).filter(({ why }) => why !== null);
  expect(begins(/^\s*select/i).length).toBeGreaterThan(150);
  expect(refused.filter(({ chosen }) => !/\bfor update\b|advisory_xact_lock/i.test(chosen))).toEqual([]);
});

test('every change of the gallery counts as one', () => {
  const changes = begins(/^\s*(insert|update|delete)/i);
  expect(changes.length).toBeGreaterThan(50);
  expect(changes.filter(({ why }) => why === null)).toEqual([]);
});
