import { formatCount } from '#model/format/format.ts';
import type { Path } from '#model/text/path-text.ts';
import { oneLine } from '#model/text/printable.ts';
import type { TestCase, TestReport } from './test-suite.ts';

/** The place of a key in a file of the repository. Lines count from 1. */
export interface FilePlace {
  /** Relative to the folder of the repository. */
  readonly file: string;
  readonly line: number;
}

/** GitHub shows at most ten annotations of a kind for each step. */
const mostOfAKind = 10;

/**
 * Workflow commands of GitHub Actions, one line each: an error for each case that failed, and a warning for each one
 * that is undecided. Without `placeOf`, they name no place.
 */
export function githubAnnotations(
  report: TestReport,
  placeOf: (path: Path) => FilePlace | null = () => null,
): readonly string[] {
  const all = report.suites.flatMap((suite) => suite.cases.map((one) => ({ suite: suite.name, one })));
  const lines = (command: 'error' | 'warning', is: (one: TestCase) => boolean) => {
    const own = all.filter(({ one }) => is(one));
    const shown = own.length > mostOfAKind ? own.slice(0, mostOfAKind - 1) : own;
    const left = own.length - shown.length;
    return [
      ...shown.map(({ suite, one }) =>
        commandLine(command, { title: `${report.name}, ${suite}: ${one.name}`, ...placeOf(one.path) }, [
          one.message,
          ...one.details,
        ]),
      ),
      ...(left > 0
        ? [commandLine(command, { title: report.name }, [`${formatCount(left)} more, which the summary lists.`])]
        : []),
    ];
  };
  return [
    ...lines('error', ({ outcome }) => outcome === 'failed' || outcome === 'error'),
    ...lines('warning', ({ outcome, isOpen }) => outcome === 'skipped' && isOpen === true),
  ];
}

/** "::error title=Insert duel,file=x.dyno.yaml,line=3::The message", with the escapes of GitHub's runner. */
function commandLine(
  command: string,
  properties: Readonly<Record<string, string | number>>,
  lines: readonly string[],
): string {
  const written = Object.entries(properties).map(([key, value]) => `${key}=${escapedProperty(oneLine(String(value)))}`);
  return `::${command} ${written.join(',')}::${lines.map((line) => escapedData(oneLine(line))).join('%0A')}`;
}

const escapedData = (text: string): string => text.replaceAll('%', '%25');

const escapedProperty = (text: string): string => escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
