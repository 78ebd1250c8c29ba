import { getParserFromInput } from '@griffithswaite/ts-plsql-parser';

/** What the generated parser inherits from ANTLR's, which its types do not tell. */
interface Recognizer {
  removeErrorListeners(): void;
  addErrorListener(listener: object): void;
  sql_script(): unknown;
}

/** What a parser of Oracle's SQL and PL/SQL finds wrong with a statement, as it is sent: without its semicolon. */
export function syntaxErrors(sql: string): readonly string[] {
  const errors: string[] = [];
  const block = /^\s*(DECLARE|BEGIN)\b/i.test(sql);
  const parser = getParserFromInput(block ? `${sql}\n/\n` : `${sql};\n`) as unknown as Recognizer;
  const ignore = () => {};
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
