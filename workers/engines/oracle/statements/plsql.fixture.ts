import { getParserFromInput } from '@griffithswaite/ts-plsql-parser';
import * as antlr from 'antlr4';

/** Members that the generated parser inherits from ANTLR's, which its types leave out. */
interface Recognizer {
  readonly _interp: { predictionMode: number };
  removeErrorListeners(): void;
  addErrorListener(listener: object): void;
  sql_script(): unknown;
}

/** ANTLR's PredictionMode, which its types leave out. What SLL accepts, LL accepts; LL accepts more, takes longer. */
const { PredictionMode: modes } = antlr as unknown as {
  readonly PredictionMode: {
    readonly SLL: number;
    readonly LL: number;
    getAlts(sets: readonly Alternatives[]): Alternatives;
    getConflictingAltSubsets(configurations: { readonly items: readonly Configuration[] }): readonly Alternatives[];
  };
};

/** A set of numbers. */
interface Alternatives {
  set(number: number): void;
}

interface Configuration {
  readonly state: { readonly stateNumber: number };
  readonly context: { equals(other: object): boolean };
  readonly alt: number;
}

/**
 * The alternatives of each state and context. ANTLR's own hash function of the two returns nothing, so that it compares
 * every configuration with all others, which takes it longer than all the rest.
 */
modes.getConflictingAltSubsets = ({ items }) => {
  const byState = new Map<number, { readonly context: object; readonly alternatives: Alternatives }[]>();
  for (const { state, context, alt } of items) {
    const ofState = byState.get(state.stateNumber) ?? [];
    const found = ofState.find((one) => context.equals(one.context));
    const { alternatives } = found ?? { alternatives: modes.getAlts([]) };
    alternatives.set(alt);
    if (!found) byState.set(state.stateNumber, [...ofState, { context, alternatives }]);
  }
  return [...byState.values()].flat().map(({ alternatives }) => alternatives);
};

/** The errors that a parser of Oracle's SQL and PL/SQL finds in a statement as it is sent: without its semicolon. */
export function syntaxErrors(sql: string): readonly string[] {
  const block = /^\s*(DECLARE|BEGIN)\b/i.test(sql);
  const script = block ? `${sql}\n/\n` : `${sql};\n`;
  return errorsBy(modes.SLL, script).length === 0 ? [] : errorsBy(modes.LL, script);
}

function errorsBy(predictionMode: number, script: string): readonly string[] {
  const errors: string[] = [];
  const parser = getParserFromInput(script) as unknown as Recognizer;
  const ignore = () => {};
  parser._interp.predictionMode = predictionMode;
  parser.removeErrorListeners();
  parser.addErrorListener({
    syntaxError: (_recognizer: unknown, _symbol: unknown, line: number, column: number, message: string) =>
      errors.push(`${line}:${column} ${message}`),
    reportAmbiguity: ignore,
    reportAttemptingFullContext: ignore,
    reportContextSensitivity: ignore,
  });
  parser.sql_script();
  return errors;
}
