import { expect, it } from 'vitest';
import { jsonWithoutCommands, withoutCommands } from './ci-commands.ts';

/** The lines that a runner of GitHub Actions, Azure Pipelines or TeamCity takes for commands. */
const commandsIn = (text: string): readonly string[] =>
  text.split('\n').filter((line) => line.trimStart().startsWith('::') || /##\w*\[/.test(line));

const forged = '::set-output name=a::b\n \t::add-mask::c\nx ##[group]\n##vso[task.setvariable variable=p]q\n###[error]';

it('prints no line that a CI system takes for a command', () => {
  expect(commandsIn(forged)).toHaveLength(5);
  expect(commandsIn(withoutCommands(forged, true))).toEqual([]);
  expect(withoutCommands(forged, false)).toBe(forged);
});

it('keeps the values of JSON', () => {
  const json = JSON.stringify({ name: forged, '::a': ['##vso[b]'] }, null, 2);
  const printed = jsonWithoutCommands(json, true);
  expect(commandsIn(printed)).toEqual([]);
  expect(JSON.parse(printed)).toEqual(JSON.parse(json));
});
