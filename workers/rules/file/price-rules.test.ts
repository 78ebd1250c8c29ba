import { expect, test } from 'vitest';
import { applyOverrides } from '#experiment/yaml/overrides.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { parseFile } from '../parsed-file.ts';

const file = (prices: string) => `dyno: 1
name: Prices
question: Which is cheaper?
dataset: { rows: 10, columns: { id: { type: sequence } } }
workload: { operation: insert }
targets: [sqlite, embedded-postgres]
prices: ${prices}
`;

const problems = (prices: string) =>
  parseFile(file(prices)).diagnostics.map(({ severity, path, message }) => [severity, path, message]);

test('each target may have a price, and all of them one currency', () => {
  const { experiment, diagnostics } = parseFile(
    file('{ currency: €, perHour: { sqlite: 0.5, embedded-postgres: 1.2 } }'),
  );
  expect(diagnostics).toEqual([]);
  expect(experiment!.prices).toEqual({ currency: '€', perHour: { sqlite: 0.5, 'embedded-postgres': 1.2 } });
  expect(problems('{ perHour: { sqlite: 0.5 } }')).toEqual([]);
});

test('a price of 0 is refused, because operations for one unit of money would be infinite', () => {
  expect(problems('{ perHour: { sqlite: 0 } }')).toEqual([
    ['error', 'prices.perHour.sqlite', 'Must be above 0; found `0`.'],
  ]);
  const [problem] = parseFile(file('{ perHour: { sqlite: 0 } }')).diagnostics;
  expect(problem!.suggestion).toContain('Leave a target without a price out.');
  expect(problems('{ perHour: { sqlite: -1 } }')[0]![0]).toBe('error');
});

test('a price of a target that the file does not have is a warning that names the target that was meant', () => {
  const [problem, ...others] = parseFile(file('{ perHour: { sqlit: 1 } }')).diagnostics;
  expect(others).toEqual([]);
  expect(problem).toMatchObject({ severity: 'warning', path: 'prices.perHour.sqlit' });
  expect(problem!.suggestion).toContain('sqlite');
});

test.each(['"EUR\\u001b[2J"', '"a b"', '""', '"=EUR"', 'EURODOLLARYEN'])('%s is no currency', (currency) => {
  expect(problems(`{ currency: ${currency}, perHour: { sqlite: 1 } }`)[0]!.slice(0, 2)).toEqual([
    'error',
    'prices.currency',
  ]);
});

test('a price is changed on the command line, also in a file without prices', () => {
  const { text } = applyOverrides(readYaml(file('{}').replace(/^prices.*\n/m, '')), [
    'prices.perHour.sqlite=2.5',
    'prices.currency=USD',
  ]);
  expect(parseFile(text).experiment!.prices).toEqual({ currency: 'USD', perHour: { sqlite: 2.5 } });
});
