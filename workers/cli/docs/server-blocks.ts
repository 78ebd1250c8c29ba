import { statementChanges } from '#managed-servers/servers/statement-changes.ts';
import { code, markdownTable } from '../file-format/markdown.ts';

const outcomes = { refused: 'refused', reset: 'put back at each start', gone: 'gone at the end' } as const;

/** The block of docs/servers.md that lists the settings which statements may not change on managed servers. */
export const serverBlocks: Readonly<Record<string, () => string>> = {
  'statement changes': () =>
    markdownTable(
      ['target', 'what a statement tries to change', 'what becomes of it', 'by what'],
      Object.entries(statementChanges).flatMap(([target, changes]) =>
        Object.entries(changes).map(([what, { is, by }]) => [code(target), what, outcomes[is], by]),
      ),
    ),
};
