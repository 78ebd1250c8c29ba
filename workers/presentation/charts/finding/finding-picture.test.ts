import { expect, it } from 'vitest';
import { sweepModel } from '#analysis/compare/sweep.fixture.ts';
import { findingsOf } from '#analysis/findings/find-findings.ts';
import { rules } from '#analysis/findings/registry.ts';
import type { Shown } from '#analysis/findings/shared/finding.ts';
import { madeRun } from '#analysis/findings/shared/findings.fixture.ts';
import { barsOf, type Picture, partsOf } from '#analysis/findings/shared/picture.ts';
import { typedNullRun } from '#analysis/findings/statements/typed-null.fixture.ts';
import { fixtureRun } from '#analysis/run-model/run.fixture.ts';
import { shapesOf } from '../kit/scene.fixture.ts';
import type { Scene } from '../kit/scene.ts';
import { sceneText } from '../kit/scene.ts';
import { lightTheme } from '../kit/theme.ts';
import { findingPicture } from './finding-picture.ts';

const run = madeRun({ targets: [{ name: 'Alpha' }, { name: 'Beta' }] });

/** The picture that is drawn for the cell of the second target. */
function drawn(picture: Picture | null): Scene | null {
  const cell = { variant: run.cells[1]!.variant, target: 'Beta' };
  const lead: Shown = {
    ...{ cell, status: 'shown', claim: '', confidence: 'likely', explains: 0.5, evidence: [], advice: '' },
    ...{ confirm: null, picture },
  };
  return findingPicture(run, { rule: rules[0]!, lead, also: [], unshown: [] }, lightTheme);
}

const shapes = (scene: Scene | null, className: string) =>
  shapesOf(scene!).filter(({ attributes }) => attributes.className === className);
const fills = (scene: Scene | null) => shapes(scene, 'picture-mark').map(({ attributes }) => attributes.fill);

it('parts of a whole are as long as their shares, each in the colour of what it stands for', () => {
  const scene = drawn(
    partsOf('A call', [
      ['network', 0.6, { part: 'wait' }],
      ['server', 0.2, { class: 'cpu' }],
      ['the rest', 0.2, 'rest'],
    ]),
  );
  expect(scene!.label).toMatch(/^A call: network 60\.0\s%, server 20\.0\s%, the rest 20\.0\s%$/);
  const [network, server] = shapes(scene, 'picture-mark').map(({ attributes }) => Number(attributes.width));
  expect(network! / server!).toBeCloseTo(3, 1);
  // The legend repeats these names.
  expect(fills(scene).slice(0, 3)).toEqual([lightTheme.parts.wait.fill, lightTheme.classes.cpu, lightTheme.grid]);
});

it('bars show the own value in the colour of the target, and others muted', () => {
  const amount = (label: string, value: number) => ({ label, value, text: `${value}` });
  const scene = drawn(barsOf('Rows', amount('read', 40), amount('wanted', 20)));
  expect(scene!.label).toBe('Rows: read 40, wanted 20');
  expect(fills(scene)).toEqual([lightTheme.series[1], lightTheme.muted]);
});

it('a load has dots and its named place, and time has shaded stretches', () => {
  const points = [1, 2, 4, 8].map((x) => ({ x, y: x }));
  const load = {
    kind: 'series',
    title: 'Throughput',
    over: 'connections',
    points,
    marks: [{ x: 4, label: 'knee 4' }],
  } as const;
  const curve = drawn(load);
  expect(curve!.label).toBe('Throughput over connections: knee 4');
  expect(shapes(curve, 'picture-mark')).toHaveLength(4);
  const bands = {
    label: 'dips',
    spans: [
      { from: 1, to: 2 },
      { from: 4, to: 8 },
    ],
  };
  const seconds = drawn({ ...load, over: 'time', marks: [], bands });
  expect(shapes(seconds, 'picture-band')).toHaveLength(2);
  expect(shapes(seconds, 'picture-mark')).toHaveLength(0);
});

it('plans stand side by side, with the steps that matter marked', () => {
  const line = (text: string, isMarked: boolean) => ({ depth: 0, text, isMarked });
  const scene = drawn({
    kind: 'trees',
    title: 'Plan',
    trees: [
      { label: 'repeat 1', lines: [line('Sort', true)] },
      { label: 'repeat 2', lines: [line('Index Scan', false)] },
    ],
  });
  expect(scene!.label).toBe('Plan: repeat 1: Sort; repeat 2: Index Scan');
  expect(fills(scene)).toEqual([lightTheme.series[1], lightTheme.grid]);
});

it('words have a column for each target', () => {
  const rows = [{ label: 'fsync', cells: ['on', 'off'] }];
  expect(drawn({ kind: 'words', title: 'Settings', targets: ['Alpha', 'Beta'], rows })!.label).toBe(
    'Settings: fsync Alpha on, Beta off',
  );
});

it('words have a row for each of more than three targets, all of them named', () => {
  const targets = ['PostgreSQL', 'MariaDB', 'SQL Server', 'Oracle', 'SQLite'];
  const rows = [{ label: 'synchronous_commit', cells: ['on', 'off', 'on', 'off', 'full'] }];
  const scene = drawn({ kind: 'words', title: 'Settings', targets, rows })!;
  const texts = shapesOf(scene).filter(({ tag }) => tag === 'text');
  const yOf = (word: string) =>
    texts.filter(({ inside }) => inside.includes(word)).map(({ attributes }) => attributes.y);
  expect(new Set(targets.flatMap(yOf))).toHaveLength(5);
  expect(yOf('full')).toEqual(yOf('SQLite'));
  expect(scene.label).toMatch(/^Settings: synchronous_commit PostgreSQL on, MariaDB off/);
});

it('a finding without a picture has no scene', () => {
  expect(drawn(null)).toBeNull();
});

it('what every rule finds in made-up runs is drawn without a number that is none', () => {
  const runs = [
    sweepModel({ loads: [1, 2, 4, 8, 16, 32], repeats: 3 }),
    madeRun(typedNullRun),
    fixtureRun({ connections: [1, 4] }),
  ];
  const scenes = runs.flatMap((one) =>
    findingsOf(one).shown.flatMap((finding) => findingPicture(one, finding, lightTheme) ?? []),
  );
  expect(scenes.length).toBeGreaterThan(2);
  for (const scene of scenes) expect(sceneText(scene)).not.toMatch(/NaN|undefined|Infinity/);
});
