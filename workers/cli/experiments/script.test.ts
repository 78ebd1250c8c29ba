import { parseArgs } from 'node:util';
import { expect, test } from 'vitest';
import { exitCodes } from '#platform/exit-codes.ts';
import type { Home } from '#platform/paths.ts';
import { scriptCommand } from './script.ts';

test.each([
  ['nothing', []],
  ['an experiment beside a run', ['a.dyno.yaml', '--run', 'last']],
  ['values of an experiment beside a run', ['--run', 'last', '--set', 'dataset.rows=5']],
  ['a size beside a run', ['--run', 'last', '--size', 'small']],
])('%s is an error of usage', async (_, args) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: scriptCommand.options,
    allowPositionals: true,
  });
  const notes: string[] = [];
  const code = await scriptCommand.run({
    ...{ home: {} as Home, values, positionals, print: () => {}, printJson: () => {} },
    note: (text) => void notes.push(text),
  });
  expect(code).toBe(exitCodes.usage);
  expect(notes).toHaveLength(1);
});
