import { rules } from '#analysis/findings/registry.ts';
import { exitCodeMeanings, exitCodes } from '#platform/exit-codes.ts';
import { commands } from '../commands.ts';
import { commandHelp } from '../dispatch.ts';
import { code, codeBlock, markdownTable } from '../file-format/markdown.ts';

/** The blocks of docs/cli.md, from the table of commands. */
export const commandBlocks: Readonly<Record<string, () => string>> = {
  'command list': () =>
    markdownTable(
      ['command', 'what it does'],
      commands.map(({ name, arguments: taken, summary }) => [code(`dyno ${name} ${taken}`.trimEnd()), summary]),
    ),
  commands: () =>
    commands.map((command) => `### dyno ${command.name}\n\n${codeBlock(commandHelp(command))}`).join('\n\n'),
  'exit codes': () =>
    markdownTable(
      ['code', 'name', 'meaning'],
      Object.entries(exitCodeMeanings).map(([name, meaning]) => [
        String(exitCodes[name as keyof typeof exitCodes]),
        code(name),
        meaning,
      ]),
    ),
};

/** The block of docs/reading-results.md that lists every finding, from the registry of rules. */
export const findingBlocks: Readonly<Record<string, () => string>> = {
  findings: () =>
    markdownTable(
      ['finding', 'id', 'what it looks for', 'shown when'],
      rules.map(({ id, title, looksFor, shownWhen }) => [title, code(id), looksFor, shownWhen]),
    ),
};
