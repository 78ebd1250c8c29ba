import { rules } from '#analysis/findings/registry.ts';
import { code, markdownTable } from './markdown.ts';

/** The block of docs/reading-results.md that lists every finding, from the registry of rules. */
export const findingBlocks: Readonly<Record<string, () => string>> = {
  findings: () =>
    markdownTable(
      ['finding', 'id', 'what it looks for', 'shown when'],
      rules.map(({ id, title, looksFor, shownWhen }) => [title, code(id), looksFor, shownWhen]),
    ),
};
