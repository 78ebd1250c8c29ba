import { getParserFromInput } from '@griffithswaite/ts-plsql-parser';

/** What the generated parser inherits from ANTLR's, which its types do not tell. */
interface Recognizer {
  readonly _interp: { predictionMode: number };
  removeErrorListeners(): void;
  addErrorListener(listener: object): void;
  sql_script(): unknown;
}

/** ANTLR's PredictionMode. What SLL accepts, LL accepts; LL accepts more and takes longer. */
const [sll, ll] = [0, 1];

/** What a parser of Oracle's SQL and PL/SQL finds wrong with a statement, as it is sent: without its semicolon. */
export function syntaxErrors(sql: string): readonly string[] {
  const block = /^\s*(DECLARE|BEGIN)\b/i.test(sql);
  const script = block ? `${sql}\n/\n` : `${sql};\n`;
  return errorsBy(sll, script).length === 0 ? [] : errorsBy(ll, script);
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
