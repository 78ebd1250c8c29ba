import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { checkCommand } from '#cli/experiments/check.ts';
import { runCommand } from '#cli/run/run.ts';
import { placeInSize } from '#experiment/schema/sizes.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { renameTable } from '#experiment/yaml/rename.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { galleryPage } from '#planning/gallery.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { openLibrary } from '#workspace/library/library.ts';
import { planContext } from '#workspace/library/plan-context.ts';
import { openGate } from '#workspace/trust/gate.ts';
import { openTrust } from '#workspace/trust/trust.ts';
import { experimentYaml, testHome } from './home.fixture.ts';

const parsed = vi.hoisted((): string[] => []);
vi.mock('yaml', async (original) => {
  const library = await original<typeof import('yaml')>();
  const parseDocument: typeof library.parseDocument = (text, ...rest) => {
    parsed.push(text);
    return library.parseDocument(text, ...rest);
  };
  return { ...library, parseDocument };
});
beforeEach(() => {
  parsed.length = 0;
});

/** The parsed texts, with repetitions; an empty text is no file. */
const repeated = () => {
  const counts = Map.groupBy(
    parsed.filter((text) => text !== ''),
    (text) => text,
  );
  return [...counts].filter(([, times]) => times.length > 1).map(([text, times]) => `${times.length} times: ${text}`);
};

const yaml = experimentYaml({ rows: '200', measure: '{ repeats: 1 }' });
const silent = { print() {}, printJson() {}, note() {} };
const set = ['dataset.rows=7', 'measure.repeats=2'];

describe('each text is parsed once', () => {
  test.each([
    ['dyno check', checkCommand, {}],
    ['dyno check --set', checkCommand, { set }],
    ['dyno run --trust', runCommand, { trust: true }],
    ['dyno run --trust --set', runCommand, { trust: true, set }],
  ])('by %s', async (_, command, values) => {
    await using made = testHome();
    const file = join(temporaryFolder(), 'sent.dyno.yaml');
    writeFileSync(file, yaml);
    expect(await command.run({ ...silent, home: made.home, positionals: [file], values })).toBe(0);
    expect(parsed).toContain(yaml);
    expect(repeated()).toEqual([]);
  });

  test('by the window: it saves, opens and plans a file, and lets it run', async () => {
    await using made = testHome();
    const library = openLibrary(made.home);
    const { id } = library.save(null, yaml);
    library.read(id);
    expect(parsed).toEqual([yaml]);
    parsed.length = 0;
    planExperiment(parseFile(yaml), planContext([], made.home.experiments));
    expect(parsed).toEqual([yaml]);
    parsed.length = 0;
    const trust = openTrust(made.home, library);
    expect(openGate(made.home, trust).experiment({ file: parseFile(yaml) }, false)).toHaveProperty('trusted');
    expect(parsed).toEqual([yaml]);
  });

  test('by its page of the gallery, in every size', () => {
    const { catalog } = planContext();
    expect(
      galleryPage('gallery:x', parseFile(`${yaml}sizes: { large: { dataset: { rows: 50 } } }\n`), catalog),
    ).not.toBe(null);
    expect(repeated()).toEqual([]);
  });

  test.each([
    ['a value', ['measure', 'repeats'], 7],
    ['a list', ['targets'], ['noop', 'sqlite']],
    ['a new section', ['factors', 'connections'], [1, 2]],
    ['a value that goes', ['dataset', 'key'], undefined],
  ])('by an edit of %s', (_, path, value) => {
    const file = readYaml(yaml);
    const edited = setIn(file, placeInSize(file.value, path), value);
    expect(parsed).toContain(edited.text);
    // The writer of YAML cannot leave blanks out, and its text is parsed to find them.
    expect(parsed.length).toBeLessThanOrEqual(3);
    expect(repeated()).toEqual([]);
  });

  test('by edits one after the other', () => {
    const file = readYaml(`${yaml}tables: { a: { rows: 1, columns: { n: { type: integer } } } }\n`);
    renameTable(setIn(setIn(file, ['dataset', 'rows'], 9), ['name'], 'Another'), 'a', 'b');
    expect(repeated()).toEqual([]);
  });
});
