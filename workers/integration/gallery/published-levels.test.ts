import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { publishedMarks } from '#analysis/compare/published.ts';
import { fixtureJournal, readRun } from '#analysis/run-model/run.fixture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { catalog } from '#engines/catalog.ts';
import { sameLevels } from '#experiment/schema/published.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { galleryFolder } from '#platform/paths.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Plan } from '#protocol/plan.ts';
import { type ParsedFile, parseFile } from '#rules/parsed-file.ts';

const descriptors = catalog.map(({ descriptor }) => descriptor);
const files = readdirSync(galleryFolder)
  .filter((name) => name.endsWith('.dyno.yaml'))
  .map((name) => ({ name, file: parseFile(readFileSync(join(galleryFolder, name), 'utf8')) }))
  .filter(({ file }) => (file.experiment?.published ?? []).some(({ baseline }) => baseline !== undefined));
const run = readRun([...fixtureJournal({})]);

/** A run of the plan in which every cell has a result. */
function measured(plan: Plan): RunModel {
  const cells = [
    ...new Map(plan.trials.map(({ variant, target }) => [keyOf({ variant, target }), { variant, target }])),
  ];
  return { ...run, plan, targets: [], cells: cells.map(([, cell]) => ({ ...run.cells[0]!, ...cell })) };
}

/** The figures that a run of the file draws, in any of its sizes. */
function drawn(file: ParsedFile): ReadonlySet<string> {
  const sizes = [
    file,
    ...Object.keys(file.experiment!.sizes ?? {}).map((size) => parseFile(setIn(file, ['size'], size))),
  ];
  return new Set(
    sizes.flatMap((size) => {
      const { plan } = planExperiment(size, { catalog: descriptors });
      const marks = plan ? [...publishedMarks(measured(plan)).values()].flat() : [];
      return marks.map(({ value }) => JSON.stringify(value));
    }),
  );
}

it('judges the experiments with published figures and a baseline', () =>
  expect(files.length).toBeGreaterThanOrEqual(7));

it.each(files)('$name draws each published figure that has a variant', ({ file }) => {
  const found = drawn(file);
  const wanted = (file.experiment!.published ?? []).flatMap(({ baseline, values }) =>
    values.filter(({ levels }) => baseline !== undefined && levels !== undefined && !sameLevels(levels, baseline)),
  );
  expect(wanted.length).toBeGreaterThan(0);
  expect(wanted.filter((value) => !found.has(JSON.stringify(value)))).toEqual([]);
});
