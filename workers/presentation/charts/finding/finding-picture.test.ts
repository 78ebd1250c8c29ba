import { describe, expect, it } from 'vitest';
import { sweepModel } from '#analysis/compare/sweep.fixture.ts';
import { type Finding, findingsOf } from '#analysis/findings/find-findings.ts';
import { type RuleId, rules } from '#analysis/findings/registry.ts';
import type { Evidence, Shown } from '#analysis/findings/shared/finding.ts';
import { callTime, madeRun, processTime } from '#analysis/findings/shared/findings.fixture.ts';
import { typedNullRun } from '#analysis/findings/statements/typed-null.fixture.ts';
import { fixtureRun } from '#analysis/run-model/run.fixture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { planned, step } from '#analysis/server/query-plans.fixture.ts';
import { shapesOf } from '../kit/scene.fixture.ts';
import type { Scene } from '../kit/scene.ts';
import { sceneText } from '../kit/scene.ts';
import { lightTheme } from '../kit/theme.ts';
import { findingPicture } from './finding-picture.ts';

const cell = (model: RunModel) => ({ variant: model.cells[0]!.variant, target: model.cells[0]!.target });
const shares = (value: number): Evidence => ({
  label: 'Part',
  value,
  unit: 'share',
  text: `${value * 100} %`,
  link: null,
});

/** A finding of a rule for the first cell of a run, with this evidence. */
function pictureFor(id: RuleId, model: RunModel, evidence: readonly Evidence[] = []): Scene | null {
  const lead: Shown = {
    ...{ cell: cell(model), status: 'shown', claim: '', confidence: 'likely', explains: 0.5, evidence },
    ...{ advice: '', confirm: null },
  };
  const finding: Finding = { rule: rules.find((rule) => rule.id === id)!, lead, also: [], unshown: [] };
  return findingPicture(model, finding, lightTheme);
}

/** Widths of the parts of a stacked bar. */
const widths = (scene: Scene) =>
  shapesOf(scene)
    .filter(
      ({ tag, attributes }) => tag === 'rect' && attributes.className === 'picture-mark' && attributes.height === 20,
    )
    .map(({ attributes }) => Number(attributes.width));

describe('the picture of a finding', () => {
  it('of round trips shows network, server and client of a call, as long as their shares', () => {
    const run = madeRun({
      trial: () => ({ health: { callTime: callTime(10_000, { sendMs: 0.1, waitMs: 0.8, receiveMs: 0.1 }) } }),
    });
    const scene = pictureFor('roundTripBound', run, [shares(0.6)])!;
    expect(scene.label).toMatch(/^A call, 1\.00.ms: network 60\.0.%, server 20\.0.%, send and receive 20\.0.%$/);
    const [network, server] = widths(scene);
    expect(network! / server!).toBeCloseTo(3, 1);
  });

  it('never calls more of a call network than its sockets waited', () => {
    const run = madeRun({
      trial: () => ({ health: { callTime: callTime(10_000, { sendMs: 0.5, waitMs: 0.5 }) } }),
    });
    expect(pictureFor('roundTripBound', run, [shares(0.9)])!.label).toMatch(
      /network 50\.0.%, send and receive 50\.0.%$/,
    );
  });

  it('of a saturated client shows where the time of its processes went', () => {
    const run = madeRun({ trial: () => ({ health: { processTime: processTime({ encodeMs: 6_000 }) } }) });
    expect(pictureFor('clientSaturated', run)!.label).toMatch(
      /network and server 30\.0.%, decoding 5\.00.%, encoding 60\.0.%/,
    );
  });

  it('of the load has the curve and its knee', () => {
    const run = sweepModel({ loads: [1, 2, 4, 8, 16, 32], repeats: 3 });
    const scene = pictureFor('concurrencyKnee', run)!;
    expect(scene.label).toMatch(/over connections: (knee|peak) \d/);
    expect(shapesOf(scene).filter(({ tag }) => tag === 'circle')).toHaveLength(6);
  });

  it('of dips shades the seconds that are far below the median', () => {
    const rates = [1_000, 1_000, 100, 1_000, 1_000, 1_000, 200, 1_000, 1_000, 1_000, 990, 1_010];
    const run = madeRun({ trial: () => ({ seconds: rates, elapsedMs: rates.length * 1_000 }), repeats: 1 });
    const scene = pictureFor('checkpointDips', run)!;
    expect(shapesOf(scene).filter(({ attributes }) => attributes.className === 'picture-band')).toHaveLength(2);
  });

  it('of high variability has every repeat', () => {
    const run = madeRun({ trial: ({ repeat }) => ({ rate: 1_000 * repeat }), repeats: 4 });
    expect(pictureFor('highVariability', run)!.label).toMatch(/repeat 1 .*repeat 4 /);
  });

  it('is drawn of the evidence where the rule has none of its own, and of the cell among others where that is no amount', () => {
    const run = fixtureRun({ connections: [1] });
    expect(pictureFor('delayedAck', run, [shares(0.25)])!.label).toContain('25 %');
    expect(pictureFor('delayedAck', run, [{ ...shares(3), unit: '' }])!.label).toMatch(/^Throughput \(rows\/s\): /);
  });

  it('of garbage collection has the slowest calls by number, as its words count them', () => {
    const count = (label: string, value: number): Evidence => ({
      label,
      value,
      unit: '',
      text: `${value}`,
      link: null,
    });
    const evidence = [count('Slowest calls', 100), count('Delayed by pauses', 70), shares(0.4)];
    const scene = pictureFor('gcInTail', madeRun({}), evidence)!;
    expect(scene.label).toBe('The 100 slowest calls: mostly in pauses of the client 70, others 30');
    const [paused, others] = widths(scene);
    expect(paused! / others!).toBeCloseTo(7 / 3, 1);
  });

  it('of commits is the server’s time only where the log takes most of it', () => {
    const probeInfo = {
      'wait:log': { unit: 'count', label: 'WAL', class: 'log' },
      'wait:cpu': { unit: 'count', label: 'running', class: 'cpu' },
    } as const;
    const run = madeRun({
      factors: { callsPerCommit: [1, 100] },
      targets: [{ name: 'server', probeInfo }],
      trial: ({ settings }) => ({ rate: settings.callsPerCommit * 1_000, gauges: { 'wait:log': 1, 'wait:cpu': 9 } }),
    });
    const log: Evidence = { ...shares(0.1), label: 'Log, of the server’s own time' };
    const gain: Evidence = {
      ...{ label: 'Throughput with 100 calls per commit instead of 1', value: 100, unit: 'ratio', text: '100×' },
      link: { panel: 'results', cell: { variant: 'callsPerCommit=100', target: 'server' } },
    };
    expect(pictureFor('commitBound', run, [log, gain])!.label).toMatch(/^Throughput .*this cell 1\.00k/);
    expect(pictureFor('commitBound', run, [{ ...log, value: 0.8 }, gain])!.label).toMatch(/^The server’s own time: /);
  });

  it('of settings has each that differs, with what every target has', () => {
    const run = fixtureRun({ connections: [1] });
    const told = {
      ...run,
      targets: run.targets.map((one) => ({
        ...one,
        fingerprint: { ...one.fingerprint!, durability: { fsync: one.name } },
      })),
    };
    expect(pictureFor('settingsDiffer', told)!.label).toContain('PostgreSQL');
  });

  it('of a changed plan has both plans side by side', () => {
    const run = madeRun({ workload: { operation: 'readByKey' }, repeats: 2 });
    const changed = {
      ...run,
      trials: run.trials.map((view, i) => ({
        ...view,
        queryPlans: [planned(null, step(i === 0 ? 'Seq Scan' : 'Index Scan', { table: 'orders' }))],
      })),
    };
    expect(pictureFor('planChanged', changed)!.label).toBe(
      'Plan of the operation: repeat 1: Seq Scan · orders; repeat 2: Index Scan · orders',
    );
  });

  it('is there for every rule that is about a cell, also where the run tells nothing but throughput', () => {
    const run = madeRun({ targets: [{ name: 'Alpha' }, { name: 'Beta' }] });
    const without = rules.filter(({ id }) => pictureFor(id as RuleId, run) === null).map(({ id }) => id);
    expect(without).toEqual([]);
  });

  it('of a saturated client is no share that looks idle', () => {
    const made = madeRun({});
    const untimed = { ...made, cells: made.cells.map((cell) => ({ ...cell, clientTime: null })) };
    expect(pictureFor('clientSaturated', untimed, [shares(0.55)])!.label).toMatch(/^Throughput/);
    expect(
      pictureFor('clientSaturated', untimed, [shares(0.55), { ...shares(0.93), label: 'Busiest' }])!.label,
    ).toMatch(/^Busiest: this part 93 %/);
  });

  it('is drawn of what every rule finds in made-up runs, without a number that is none', () => {
    const runs = [
      sweepModel({ loads: [1, 2, 4, 8, 16, 32], repeats: 3 }),
      madeRun(typedNullRun),
      fixtureRun({ connections: [1, 4] }),
    ];
    const scenes = runs.flatMap((run) =>
      findingsOf(run).shown.flatMap((one) => findingPicture(run, one, lightTheme) ?? []),
    );
    expect(scenes.length).toBeGreaterThan(2);
    for (const scene of scenes) expect(sceneText(scene)).not.toMatch(/NaN|undefined|Infinity/);
  });
});
