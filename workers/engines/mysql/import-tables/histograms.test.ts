import { expect, test } from 'vitest';
import { mariadbHistogram, mysqlHistogram } from './histograms.ts';

test('MariaDB’s JSON_HB: buckets of one value are frequent values', () => {
  const histogram = JSON.stringify({
    target_histogram_size: 3,
    histogram_hb: [
      { start: '1', size: 0.5, ndv: 1 },
      { start: '2', size: 0.25, ndv: 8 },
      { start: '10', end: '90', size: 0.25, ndv: 40 },
    ],
  });
  const found = mariadbHistogram('int', { min: '1', max: '90', kind: 'JSON_HB', histogram }, 0.8);
  expect(found.common).toEqual([{ value: 1, share: 0.4 }]);
  expect(found.distinct).toBe(49);
  expect([found.bounds[0], found.bounds.at(-1)]).toEqual([2, 90]);
});

test('MariaDB’s DOUBLE_PREC_HB: widths of buckets within the range, for numbers alone', () => {
  const one = { min: '0', max: '100', kind: 'DOUBLE_PREC_HB', histogram: '0.10000,0.00000,0.00000,0.90000' };
  expect(mariadbHistogram('int', one, 1)).toEqual({
    common: [{ value: 10, share: 0.6 }],
    bounds: [0, 100],
    distinct: null,
  });
  expect(mariadbHistogram('varchar', { ...one, min: 'a', max: 'z' }, 1)).toMatchObject({
    common: [],
    bounds: ['a', 'z'],
  });
});

// Written after the examples of MySQL’s manual (Optimizer Statistics): no MySQL server has made these answers here.
test('MySQL: singleton and equi-height histograms, with texts in base64', () => {
  const singleton = JSON.stringify({
    buckets: [
      ['base64:type254:b3Blbg==', 0.25],
      ['base64:type254:cGFpZA==', 0.9],
    ],
    'null-values': 0.1,
    'histogram-type': 'singleton',
  });
  const found = mysqlHistogram('varchar', singleton);
  expect(found.common.map(({ value }) => value)).toEqual(['paid', 'open']);
  expect(found.common[0]!.share).toBeCloseTo(0.65, 9);
  expect(found.nullShare).toBe(0.1);
  const spread = JSON.stringify({
    buckets: [
      [1, 10, 0.5, 10],
      [11, 11, 1, 1],
    ],
    'null-values': 0,
    'histogram-type': 'equi-height',
  });
  expect(mysqlHistogram('int', spread)).toMatchObject({ common: [{ value: 11, share: 0.5 }], distinct: 11 });
});
