import type { ParameterSpec, StatementSpec } from '#model/statements/statements.ts';
import { parameterScopes } from '#model/statements/steps.ts';
import type { Path } from '#model/text/path-text.ts';
import type { Experiment } from '../schema/experiment.ts';

/** A text of an experiment that reaches a server. */
export interface WrittenText {
  readonly kind: 'statement' | 'query' | 'check';
  /** The name of the statement or check, or of the parameter whose query it is. */
  readonly name: string;
  readonly text: StatementSpec['text'];
  /** Its place in the file. */
  readonly path: Path;
}

/**
 * All texts of an experiment that reach a server: statements, checks, and the queries of parameters of statements,
 * transactions with their blocks, and scenarios. Everything that judges what an experiment does goes by this list.
 */
export function writtenTexts({
  statements = {},
  transactions = {},
  scenarios = {},
  checks = {},
}: Experiment): readonly WrittenText[] {
  return [
    ...Object.entries(statements).map(
      ([name, { text }]): WrittenText => ({ kind: 'statement', name, text, path: ['statements', name, 'text'] }),
    ),
    ...queriesAmong(writtenParameters({ statements, transactions, scenarios })),
    ...Object.entries(checks).map(
      ([name, { text }]): WrittenText => ({ kind: 'check', name, text, path: ['checks', name, 'text'] }),
    ),
  ];
}

/** The texts that other sizes of the experiment put in the place of these. */
export const textsOfSizes = ({ sizes = {} }: Experiment): readonly WrittenText[] =>
  Object.entries(sizes).flatMap(([size, { statements = {} }]) =>
    queriesAmong(writtenParameters({ statements }, ['sizes', size])),
  );

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
