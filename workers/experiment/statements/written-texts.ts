import type { IndexText } from '#model/dataset/indexes.ts';
import { allTables } from '#model/dataset/tables.ts';
import type { ParameterSpec, StatementSpec } from '#model/statements/statements.ts';
import { parameterScopes } from '#model/statements/steps.ts';
import type { Path } from '#model/text/path-text.ts';
import type { Experiment } from '../schema/experiment.ts';
import { changesIn } from '../schema/levels.ts';

/** A text of an experiment that reaches a server. */
export interface WrittenText {
  readonly kind: 'statement' | 'query' | 'check' | 'setup' | 'teardown';
  /** The name of the statement or check, or of the parameter whose query it is. */
  readonly name: string;
  readonly text: StatementSpec['text'];
  /** Its place in the file. */
  readonly path: Path;
}

/** The sections of an experiment, or of a change of it, that have texts. */
type Sections = Partial<
  Pick<Experiment, 'statements' | 'transactions' | 'scenarios' | 'checks' | 'setup' | 'teardown'>
>;

/**
 * All texts of an experiment that reach a server: statements of the workload, of `setup` and of `teardown`, checks,
 * and the queries of parameters of statements, transactions with their blocks, and scenarios. Everything that judges
 * what an experiment does goes by this list. `at`: the place of the sections in the file.
 */
export function writtenTexts(sections: Sections, at: Path = []): readonly WrittenText[] {
  const texts = (part: 'statements' | 'checks', kind: WrittenText['kind']): readonly WrittenText[] =>
    // A change of a statement may have no text.
    Object.entries(sections[part] ?? {}).flatMap(([name, { text }]: [string, Partial<Pick<StatementSpec, 'text'>>]) =>
      text === undefined ? [] : [{ kind, name, text, path: [...at, part, name, 'text'] }],
    );
  return [
    ...texts('statements', 'statement'),
    ...queriesAmong(writtenParameters(sections, at)),
    ...texts('checks', 'check'),
    ...(['setup', 'teardown'] as const).flatMap((kind) =>
      Object.entries(sections[kind] ?? {}).map(([name, text]) => ({ kind, name, text, path: [...at, kind, name] })),
    ),
  ];
}

/** A condition or an expression of an index. */
interface IndexTextOf {
  /** The table's name in statements. */
  readonly table: string;
  readonly text: IndexText;
}

/** The conditions and expressions of indexes: they reach a server as parts of CREATE INDEX. */
export const indexTexts = (experiment: Pick<Experiment, 'dataset' | 'tables'>): readonly IndexTextOf[] =>
  Object.entries(allTables(experiment)).flatMap(([table, { indexes = [] }]) =>
    indexes.flatMap(({ columns, where }) => [
      ...columns.flatMap((part) =>
        typeof part !== 'string' && 'expression' in part ? [{ table, text: part.expression }] : [],
      ),
      ...(where === undefined ? [] : [{ table, text: where }]),
    ]),
  );

/** The texts with which sizes and levels of the experiment replace these texts. */
export const textsOfChanges = (experiment: Experiment): readonly WrittenText[] =>
  changesIn(experiment).flatMap(({ change, at }) => writtenTexts(change as Sections, at));

/** The parameters of sizes and levels. */
export const parametersOfChanges = (experiment: Experiment): readonly WrittenParameter[] =>
  changesIn(experiment).flatMap(({ change, at }) => writtenParameters(change, at));

const queriesAmong = (parameters: readonly WrittenParameter[]): readonly WrittenText[] =>
  parameters.flatMap(({ name, spec, path }) =>
    spec.type === 'query' ? [{ kind: 'query' as const, name, text: spec.text, path: [...path, 'text'] }] : [],
  );

/** A parameter of an experiment. */
interface WrittenParameter {
  readonly name: string;
  readonly spec: ParameterSpec;
  /** Its place in the file. */
  readonly path: Path;
}

/** All parameters of statements, transactions with their blocks, and scenarios. `at`: the place of these parts. */
export const writtenParameters = (
  { statements = {}, transactions = {}, scenarios = {} }: Partial<OwnersOfParameters>,
  at: Path = [],
): readonly WrittenParameter[] =>
  Object.entries({ statements, transactions, scenarios }).flatMap(([part, owners]) =>
    Object.entries(owners).flatMap(([owner, one]) =>
      parameterScopes(one, [...at, part, owner]).flatMap(({ parameters, path }) =>
        // The parser has checked this mapping.
        Object.entries(parameters as Readonly<Record<string, ParameterSpec>>).map(([name, spec]) => ({
          name,
          spec,
          path: [...path, name],
        })),
      ),
    ),
  );

type OwnersOfParameters = Readonly<
  Record<'statements' | 'transactions' | 'scenarios', Readonly<Record<string, unknown>> | undefined>
>;
