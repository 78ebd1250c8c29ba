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
    ...Object.entries({ statements, transactions, scenarios }).flatMap(([part, owners]) => queriesOf(owners, [part])),
    ...Object.entries(checks).map(
      ([name, { text }]): WrittenText => ({ kind: 'check', name, text, path: ['checks', name, 'text'] }),
    ),
  ];
}

/** The texts that other sizes of the experiment put in the place of these. */
export const textsOfSizes = ({ sizes = {} }: Experiment): readonly WrittenText[] =>
  Object.entries(sizes).flatMap(([size, { statements = {} }]) => queriesOf(statements, ['sizes', size, 'statements']));

const queriesOf = (owners: Readonly<Record<string, unknown>>, at: Path): readonly WrittenText[] =>
  Object.entries(owners).flatMap(([owner, one]) =>
    parameterScopes(one, [...at, owner]).flatMap(({ parameters, path }) =>
      // The parser has checked this mapping.
      Object.entries(parameters as Readonly<Record<string, ParameterSpec>>).flatMap(([name, spec]) =>
        spec.type === 'query' ? [{ kind: 'query' as const, name, text: spec.text, path: [...path, name, 'text'] }] : [],
      ),
    ),
  );
