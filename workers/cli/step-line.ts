import type { CheckedStep } from '#model/check-step.ts';
import { formatMs } from '#model/format/format.ts';

const words = {
  ok: 'ok',
  limited: 'partly',
  failed: 'FAILED',
  skipped: '–',
  notTried: 'not tried',
  waiting: '',
  running: '',
} as const;
const wordWidth = Math.max(...Object.values(words).map((word) => word.length));

/** Prints the steps of a check in order, each once, after it and all earlier steps have finished. */
export function printSteps<Name extends string>(
  titles: Readonly<Record<Name, string>>,
  print: (line: string) => void,
): (report: { readonly steps: readonly CheckedStep<Name>[] }) => void {
  const width = Math.max(...Object.values<string>(titles).map((title) => title.length));
  const printed = new Set<string>();
  return ({ steps }) => {
    for (const one of steps) {
      if (one.state === 'waiting' || one.state === 'running') return;
      if (!printed.has(one.step)) print(stepLine(one, titles[one.step].padEnd(width)));
      printed.add(one.step);
    }
  };
}

function stepLine({ state, detail, error, ms }: CheckedStep<string>, title: string): string {
  const lines = error ? [error.message, ...(error.hint ? [`try: ${error.hint}`] : [])] : detail.split('\n');
  const [first = '', ...rest] = lines.flatMap((text) => text.split('\n'));
  const head = `${words[state].padEnd(wordWidth)} ${title}  `;
  const time = ms === null ? '' : `  (${formatMs(ms)})`;
  return [`${head}${first}${time}`, ...rest.map((line) => ' '.repeat(head.length) + line)].join('\n');
}
