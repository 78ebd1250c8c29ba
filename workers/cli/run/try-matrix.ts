import type { TryReport } from '#model/statements/statements.ts';
import { oneLine } from '#model/text/printable.ts';
import { alignColumns } from '#presentation/terminal/run-text.ts';

/**
 * Every item on every target in one table, with the messages of the targets below it, each once. Empty for a single
 * target, whose reports say the same.
 */
export function matrixLines(reports: readonly TryReport[]): readonly string[] {
  const targets = [...new Set(reports.map(({ target }) => target))];
  if (targets.length < 2) return [];
  const items = [...new Set(reports.map(({ item }) => item.name))];
  const messages: string[] = [];
  const cellOf = (name: string, target: string): string => {
    const own = reports.find((one) => one.item.name === name && one.target === target);
    if (own === undefined) return '–';
    const error = own.error ?? own.statements.find((one) => one.error !== null)?.error ?? null;
    if (error === null) return 'runs';
    const message = oneLine(error.message);
    if (!messages.includes(message)) messages.push(message);
    return `${error.kind === 'unsupported' ? 'cannot' : 'does not run'} (${messages.indexOf(message) + 1})`;
  };
  const rows = items.map((name) => [name, ...targets.map((target) => cellOf(name, target))]);
  return [
    ...alignColumns([['statement', ...targets], ...rows], ['left', ...targets.map(() => 'left' as const)]),
    ...messages.map((message, i) => `(${i + 1}) ${message}`),
  ];
}
