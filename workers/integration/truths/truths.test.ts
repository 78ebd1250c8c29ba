import { expect, test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { briefMeasure } from '../gallery/small-size.ts';
import { testHome } from '../home.fixture.ts';
import { runTruths } from './truths.fixture.ts';

// A whole run, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 });

test.skipIf(isSkipped('sqlite'))(
  'another plan is seen, a text with equal answers is compared, and others are not',
  async () => {
    await using test = testHome();
    const brief = [...briefMeasure, 'measure.repeats=1'];
    const judged = [
      ...(await runTruths(
        test.home,
        'index',
        [{ target: 'sqlite', change: 'on the code', hasOtherPlan: true }],
        brief,
      )),
      ...(await runTruths(
        test.home,
        'rewrites',
        [
          { target: 'sqlite', change: 'EXISTS', answers: 'equal' },
          { target: 'sqlite', change: 'NOT IN', answers: 'differ' },
        ],
        brief,
      )),
    ];
    expect(judged.map(({ sentence, wrong }) => [sentence, wrong])).toEqual(
      judged.map(({ sentence }) => [sentence, []]),
    );
  },
);
