import { catalog } from '#engines/catalog.ts';
import { hasCode, statementsOf } from '#model/statements/statement-extent.ts';
import { partsOf, type StatementLanguage } from '#model/statements/statement-text.ts';

/** The language of a script of which nothing is known: quotes of PostgreSQL's functions do no harm elsewhere. */
const unknown: StatementLanguage = {
  language: 'sql',
  quoting: ['dollar'],
  blocks: {
    notBefore: ['', ';', 'transaction', 'tran', 'work', 'isolation', 'read', 'immediate', 'deferred', 'exclusive'],
  },
};

/** The same where nothing is dollar-quoted: declarations before a BEGIN, and what follows, belong together. */
const unknownProcedures: StatementLanguage = {
  ...unknown,
  wholeTexts: '^declare\\b|^create (\\S+ )*(procedure|function|package)\\b',
};

/** What a script of an engine's own client ends its batches with. */
const dialects = catalog.flatMap(({ descriptor: { statements } }) => {
  const { scripts } = statements ?? {};
  return statements && scripts
    ? [{ language: statements, end: new RegExp(scripts.batchEnd, 'i'), variable: scripts.variable }]
    : [];
});

interface ScriptStatements {
  /** In their order, without semicolons; comments stay with the statement after them. */
  readonly texts: readonly string[];
  readonly language: StatementLanguage;
}

/** The statements of a script: at most `most`, and one more where there are more. */
export function statementsIn(script: string, most: number): ScriptStatements {
  const text = script.replaceAll(/\r\n?/g, '\n');
  const dialect = dialects.find(({ language, end }) => batchesOf(text, language, end).length > 1);
  const language = dialect?.language ?? (/\$\w*\$/.test(text) ? unknown : unknownProcedures);
  const batches = dialect ? batchesOf(text, language, dialect.end) : [text];
  const texts: string[] = [];
  for (const batch of batches) {
    if (texts.length > most) break;
    const isWhole = declaresVariable(batch, language);
    texts.push(...(isWhole ? [trimmed(batch)] : statementsOf(batch, language, most + 1 - texts.length)));
  }
  return {
    texts: texts.filter((one) => hasCode(one, language)).map((one) => withNamedParameters(one, language)),
    language,
  };
}

/** The parts of a script between lines that end a batch; such a line in a comment or a quoted text ends none. */
function batchesOf(text: string, language: StatementLanguage, end: RegExp): readonly string[] {
  const inCode: boolean[] = [];
  let at = 0;
  for (const part of plainParts(text, language)) {
    if (part.kind === 'code') for (let i = at; i < at + part.text.length; i++) inCode[i] = true;
    at += part.text.length;
  }
  const batches = [''];
  let start = 0;
  for (const line of text.split('\n')) {
    if (end.test(line) && inCode[start + line.search(/\S/)]) batches.push('');
    else batches[batches.length - 1] += `${line}\n`;
    start += line.length + 1;
  }
  return batches;
}

/** Code and quoted parts alone. */
const plainParts = (text: string, language: StatementLanguage) =>
  partsOf(text, language).map((part) => {
    if (part.kind === 'parameter') return { kind: 'code' as const, text: `:${part.name}` };
    return part.kind === 'table' ? { kind: 'code' as const, text: `{${part.name}}` } : part;
  });

const codeOf = (text: string, language: StatementLanguage): string =>
  plainParts(text, language)
    .map((part) => (part.kind === 'code' ? part.text : ' '))
    .join('');

const trimmed = (text: string): string => text.replace(/^[\s;]+|\s+$/g, '');

const declaresVariable = (batch: string, language: StatementLanguage): boolean =>
  language.scripts?.variable !== undefined && /\bdeclare\s+@/i.test(codeOf(batch, language));

const variableInCode = /(?<![\w@$#<~])@(?=[A-Za-z_])/g;
/** What gives a variable its value within the script, or its type; then it is no parameter. */
const assigned = /\b(?:declare|set|into)\s+@|@\w+\s*:=/i;

/** A query as a program sends it has T-SQL's @name in the places of its parameters; here they are written :name. */
function withNamedParameters(text: string, language: StatementLanguage): string {
  const code = codeOf(text, language);
  if (!/^\s*(?:select|insert|update|delete|merge|with)\b/i.test(code) || assigned.test(code)) return text;
  return plainParts(text, language)
    .map((part) => (part.kind === 'code' ? part.text.replaceAll(variableInCode, ':') : part.text))
    .join('');
}
