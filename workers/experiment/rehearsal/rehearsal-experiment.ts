import { Document, isCollection, isMap, isScalar } from 'yaml';
import type { KeptStatements } from '#engine-api/kept-statements.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import { oneLine } from '#model/text/printable.ts';
import { type Chosen, otherText, shortText } from '../import-statements/imported-experiment.ts';
import type { Twin } from '../import-tables/twin.ts';
import { namesInTwin, onTwin, sourceOnTwin } from './own-tables.ts';

/** A target of a rehearsal. */
export interface RehearsalTarget {
  /** Its name in experiment files. */
  readonly name: string;
  /** The id of its engine. */
  readonly engine: string;
  readonly language: StatementLanguage;
}

/** The choices of a rehearsal. */
export interface RehearsalChoices {
  readonly seconds: number;
  readonly repeats: number;
  readonly margin: number;
  readonly connections: number;
}

/** The messages of targets that do not run a statement, by the name of the statement and of the target. */
export type Refusals = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Everything that a rehearsal is made of. */
export interface RehearsalParts {
  /** The name of the server whose statements these are. */
  readonly source: string;
  readonly language: StatementLanguage;
  readonly method: MethodName;
  readonly chosen: Chosen;
  readonly kept: KeptStatements;
  readonly twin: Pick<Twin, 'tables' | 'mapping'>;
  readonly reference: RehearsalTarget;
  readonly candidates: readonly RehearsalTarget[];
  readonly choices: RehearsalChoices;
  /** Null: nothing was tried yet. */
  readonly refusals: Refusals | null;
}

/** The name of the factor whose levels call one statement each. */
const factor = 'statement';

/**
 * The text of a rehearsal: the statements of a server on a twin of its tables. Each level calls one statement, so that
 * every statement has calls enough, however rare it is, and one that a candidate does not run leaves the others
 * comparable. Statements that the reference does not run are left out. Null: the reference runs none.
 */
export function rehearsalExperiment(parts: RehearsalParts): string | null {
  const { source, language, method, chosen, kept, twin, reference, candidates, choices, refusals } = parts;
  const names = namesInTwin(twin);
  const keys = new Map(
    Object.entries(twin.tables).flatMap(([name, { key }]) => (typeof key === 'string' ? [[name, key] as const] : [])),
  );
  const languages = new Map([reference, ...candidates].map((one) => [one.engine, one.language]));
  const refusedBy = (name: string, target: string): string | undefined => refusals?.[name]?.[target];
  const running = chosen.taken.filter(({ name }) => refusedBy(name, reference.name) === undefined);
  const refused = chosen.taken.filter((one) => !running.includes(one));
  const [first] = running;
  if (first === undefined) return null;
  const share = (value: number | null) =>
    value === null ? {} : { timeShare: Number(Math.min(1, value).toPrecision(3)) };
  const document = new Document({
    dyno: 1,
    name: `Rehearsal of ${oneLine(source)}`.slice(0, 100),
    question: `May ${oneLine(source)} move to ${candidates.map(({ name }) => oneLine(name)).join(' or ')}?`.slice(
      0,
      300,
    ),
    tables: twin.tables,
    workload: { operation: 'statement', method, ...(choices.connections > 1 && { connections: choices.connections }) },
    statements: Object.fromEntries(
      running.map((one) => {
        const not = candidates.flatMap(({ name }) => {
          const message = refusedBy(one.name, name);
          return message === undefined ? [] : [[name, message] as const];
        });
        const parameters = Object.entries(one.parameters).map(([name, own]) => [
          name,
          sourceOnTwin(own, language, names, keys, languages),
        ]);
        return [
          one.name,
          {
            text: onTwin(one.written, language, names),
            ...(parameters.length > 0 && { parameters: Object.fromEntries(parameters) }),
            weight: one === first ? 1 : 0,
            ...share(one.share),
            ...(not.length > 0 && { notOn: Object.fromEntries(not) }),
          },
        ];
      }),
    ),
    factors: {
      [factor]: Object.fromEntries(
        running.map(({ name }) => [
          name,
          name === first.name ? {} : { statements: { [first.name]: { weight: 0 }, [name]: { weight: 1 } } },
        ]),
      ),
    },
    targets: [reference, ...candidates].map(({ name }) => name),
    baseline: { target: reference.name },
    compare: 'targets',
    rehearsal: {
      source: oneLine(source),
      margin: choices.margin,
      leftOut: [
        ...refused.map((one) => ({
          what: one.name,
          why: `${reference.name} does not run it on the twin: ${refusedBy(one.name, reference.name)}`,
          ...share(one.share),
        })),
        ...chosen.left.map(({ statement, why }) => ({
          what: shortText(statement.text),
          why,
          ...share(statement.share),
        })),
        ...kept.others.map((one) => ({
          what: otherText(one),
          why: 'No experiment runs them.',
          ...share(kept.totalMs > 0 ? one.totalMs / kept.totalMs : null),
        })),
      ],
    },
    measure: {
      until: { seconds: choices.seconds },
      warmupSeconds: Math.min(1, choices.seconds / 2),
      repeats: choices.repeats,
    },
  });
  document.commentBefore = [
    ` The statements that ${oneLine(source)} has counted, on tables with the statistics of its tables.`,
    ' No row was copied. Bounds of histograms, and frequent numbers and times, are values of that server.',
  ].join('\n');
  for (const path of [['workload'], ['targets'], ['baseline'], ['measure', 'until']]) {
    const node = document.getIn(path, true);
    if (isCollection(node)) node.flow = true;
  }
  for (const { key } of isMap(document.contents) ? document.contents.items : [])
    if (
      isScalar(key) &&
      ['tables', 'workload', 'statements', 'factors', 'targets', 'rehearsal'].includes(String(key.value))
    )
      key.spaceBefore = true;
  return document.toString({ lineWidth: 0 });
}
