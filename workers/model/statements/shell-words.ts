/** The first part of a text that is not JSON, and the text converted to JSON. */
interface JsonProblem {
  /** The number of the line within the text, from 1. */
  readonly line: number;
  readonly column: number;
  /** The part that is not JSON, as named in a message. */
  readonly found: string;
  /** The equivalent JSON; null: there is none. */
  readonly write: string | null;
  /** The whole text as JSON; null if a part has no equivalent. */
  readonly corrected: string | null;
}

/** The shell's functions for values, as extended JSON (MongoDB manual, "MongoDB Extended JSON (v2)"). */
const functions: Readonly<Record<string, (argument: readonly string[]) => string | null>> = {
  ObjectId: ([hex]) => quotedIn('$oid', hex),
  ISODate: ([text]) => dateIn(text),
  Date: ([text]) => dateIn(text),
  NumberDecimal: ([text]) => quotedIn('$numberDecimal', text),
  Decimal128: ([text]) => quotedIn('$numberDecimal', text),
  NumberLong: ([text]) => quotedIn('$numberLong', text),
  Long: ([text]) => quotedIn('$numberLong', text),
  NumberInt: ([text]) => quotedIn('$numberInt', text),
  Int32: ([text]) => quotedIn('$numberInt', text),
  Double: ([text]) => quotedIn('$numberDouble', text),
  UUID: ([text]) => quotedIn('$uuid', text),
  BinData: ([type, text]) =>
    type === undefined || text === undefined
      ? null
      : `{ "$binary": { "base64": ${JSON.stringify(plain(text))}, "subType": "${Number(type).toString(16).padStart(2, '0')}" } }`,
  Timestamp: ([seconds, count]) =>
    seconds === undefined || count === undefined
      ? null
      : `{ "$timestamp": { "t": ${plain(seconds)}, "i": ${plain(count)} } }`,
  RegExp: ([pattern, options]) =>
    pattern === undefined ? null : regularExpression(plain(pattern), plain(options ?? '')),
  MinKey: () => '{ "$minKey": 1 }',
  MaxKey: () => '{ "$maxKey": 1 }',
};

const plain = (argument: string): string => argument.replace(/^(['"])(.*)\1$/s, '$2');

const quotedIn = (key: string, argument: string | undefined): string | null =>
  argument === undefined ? null : `{ "${key}": ${JSON.stringify(plain(argument))} }`;

function dateIn(argument: string | undefined): string | null {
  if (argument === undefined) return null;
  const text = plain(argument);
  if (/^\d+$/.test(text)) return `{ "$date": { "$numberLong": "${text}" } }`;
  const date = new Date(/^\d{4}-\d\d-\d\d[T ][\d:.]+$/.test(text) ? `${text}Z` : text);
  return Number.isNaN(date.getTime()) ? null : `{ "$date": "${date.toISOString()}" }`;
}

const regularExpression = (pattern: string, options: string): string =>
  `{ "$regularExpression": { "pattern": ${JSON.stringify(pattern)}, "options": ${JSON.stringify(options)} } }`;

/** Parts of a text in the shell's notation, in the order of matching. */
const parts: readonly (readonly [RegExp, (found: RegExpExecArray) => string | null])[] = [
  [/\s+|[{}[\]:]|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|"(?:[^"\\]|\\.)*"|(?:true|false|null)\b/y, ([all]) => all],
  // A trailing comma after the last member.
  [/,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]])/y, () => ''],
  [/,/y, ([all]) => all],
  [/\/\/[^\n]*|\/\*[\s\S]*?\*\//y, () => ''],
  [/'((?:[^'\\]|\\.)*)'/y, ([, inner = '']) => JSON.stringify(inner.replaceAll(/\\(.)/gs, '$1'))],
  [
    /(?:new\s+)?([A-Z]\w*)(?:\.\w+)?\(([^()]*)\)/y,
    ([, name = '', inside = '']) => (Object.hasOwn(functions, name) ? functions[name]!(argumentsIn(inside)) : null),
  ],
  [/\/((?:[^/\\\n]|\\.)+)\/([a-z]*)/y, ([, pattern = '', options = '']) => regularExpression(pattern, options)],
  [/([A-Za-z_$][\w$.]*)(?=\s*:)/y, ([, name]) => JSON.stringify(name)],
];

const argumentsIn = (inside: string): readonly string[] =>
  inside.trim() === '' ? [] : inside.split(',').map((one) => one.trim());

const mostShown = 40;

/**
 * The first part of a command in the shell's notation that JSON lacks: ObjectId("…"), unquoted names, single quotes,
 * comments. Null: the text is JSON, or does not begin as an object.
 */
export function jsonProblem(text: string): JsonProblem | null {
  if (!text.trimStart().startsWith('{') || isJson(text)) return null;
  let corrected: string | null = '';
  let first: { readonly at: number; readonly found: string; readonly write: string | null } | null = null;
  for (let at = 0; at < text.length; ) {
    const made = partAt(text, at);
    const found = made?.found ?? text.slice(at).split('\n', 1)[0]!;
    const write = made?.write ?? null;
    if (write !== found || made === null) first ??= { at, found, write };
    corrected = corrected === null || write === null ? null : corrected + write;
    at += found.length;
    if (made === null) break;
  }
  if (first === null) {
    // Every part is valid JSON, but their order is not.
    const at = positionIn(text);
    first = { at, found: text.slice(at).split('\n', 1)[0]!, write: null };
    corrected = null;
  }
  const before = text.slice(0, first.at).split('\n');
  return {
    line: before.length,
    column: before.at(-1)!.length + 1,
    found: first.found.length > mostShown ? `${first.found.slice(0, mostShown)}…` : first.found,
    write: first.write,
    corrected: corrected !== null && isJson(corrected) ? corrected : null,
  };
}

function partAt(text: string, at: number): { readonly found: string; readonly write: string | null } | null {
  for (const [pattern, make] of parts) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) return { found: found[0], write: make(found) };
  }
  return null;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The position of the error of JSON.parse(). */
function positionIn(text: string): number {
  try {
    JSON.parse(text);
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    if (position !== undefined) return Math.min(Number(position), Math.max(0, text.length - 1));
  }
  return Math.max(0, text.length - 1);
}

/** The shell's methods and the commands that they send. */
const methods: Readonly<Record<string, string>> = {
  find: '"find": "NAME", "filter": { … }',
  findOne: '"find": "NAME", "filter": { … }, "limit": 1',
  aggregate: '"aggregate": "NAME", "pipeline": [ … ], "cursor": {}',
  countDocuments: '"aggregate": "NAME", "pipeline": [{ "$match": { … } }, { "$count": "n" }], "cursor": {}',
  estimatedDocumentCount: '"count": "NAME"',
  distinct: '"distinct": "NAME", "key": "…", "query": { … }',
  insertOne: '"insert": "NAME", "documents": [{ … }]',
  insertMany: '"insert": "NAME", "documents": [{ … }, { … }]',
  updateOne: '"update": "NAME", "updates": [{ "q": { … }, "u": { … } }]',
  updateMany: '"update": "NAME", "updates": [{ "q": { … }, "u": { … }, "multi": true }]',
  deleteOne: '"delete": "NAME", "deletes": [{ "q": { … }, "limit": 1 }]',
  deleteMany: '"delete": "NAME", "deletes": [{ "q": { … }, "limit": 0 }]',
  findOneAndUpdate: '"findAndModify": "NAME", "query": { … }, "update": { … }',
  findOneAndDelete: '"findAndModify": "NAME", "query": { … }, "remove": true',
};

/** The command for a call in the shell, db.orders.find(…); null: the text is no call. */
export function commandOfShell(text: string): string | null {
  const [, name, method] = /^\s*db\.(?:getCollection\(['"])?([\w.-]+?)(?:['"]\))?\.(\w+)\s*\(/.exec(text) ?? [];
  if (name === undefined || method === undefined) return null;
  const command = Object.hasOwn(methods, method) ? methods[method] : undefined;
  return command === undefined ? '{ … }' : `{ ${command.replaceAll('NAME', name)} }`;
}
