import { describe, expect, it } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { experimentYaml } from '#integration/home.fixture.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { estimateVolume, volumeText } from './estimate-volume.ts';
import { planExperiment } from './plan-experiment.ts';

const references = new Set(['noop']);

function volumesOf(parts: Parameters<typeof experimentYaml>[0]) {
  const yaml = experimentYaml({ targets: '[noop, sqlite]', ...parts });
  const { plan, diagnostics } = planExperiment(parseFile(yaml), {
    catalog: catalog.map(({ descriptor }) => descriptor),
  });
  if (!plan) throw new Error(JSON.stringify(diagnostics));
  return estimateVolume(plan, references);
}

describe('what a run would write', () => {
  it('is the rows of all trials, and the tables of one of them; the reference engine writes nothing', () => {
    // Two repeats of 1,000 measured and 100 warm-up rows: 40 bytes, a uuid, 20 characters with 2 bytes, a key entry.
    const row = 40 + 16 + 22 + (32 + 16);
    expect(volumesOf({})).toEqual([{ target: 'sqlite', rows: 2_200, diskBytes: 1_100 * row, logBytes: 2_200 * row }]);
  });

  it('counts what is loaded for reads, and says so where time ends writes', () => {
    expect(volumesOf({ workload: '{ operation: readByKey }', measure: '{ repeats: 3 }' })).toMatchObject([
      { rows: 3_000, diskBytes: 1_000 * 126 },
    ]);
    const [timed] = volumesOf({ measure: '{ until: { seconds: 1 } }' });
    expect(timed).toEqual({ target: 'sqlite', rows: null, diskBytes: null, logBytes: null });
    expect(volumeText(timed!)).toContain('not known beforehand');
  });
});
