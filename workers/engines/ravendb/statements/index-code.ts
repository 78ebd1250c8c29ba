import { DynoError } from '#model/error.ts';

/** The keys that an index definition may have. Other keys compile more code, or name the place of the index's files. */
const keys = new Set(['Name', 'Maps', 'Reduce', 'Type', 'Fields', 'Priority', 'LockMode', 'OutputReduceToCollection']);

const keywords =
  'from in let where select new group by into orderby ascending descending join on equals null true false';
const types = 'int long decimal double float bool string object dynamic var';
const words = new Set([...keywords.split(' '), ...types.split(' ')]);
/** The functions that may be called, which only read rows, texts and numbers. */
const calls = new Set(
  [
    ...['LoadDocument', 'Count', 'Sum', 'Min', 'Max', 'Average', 'Any', 'All', 'Select', 'SelectMany', 'Where'],
    ...['First', 'FirstOrDefault', 'Last', 'LastOrDefault', 'Distinct', 'OrderBy', 'OrderByDescending', 'GroupBy'],
    ...['Take', 'Skip', 'Concat', 'ToString', 'ToLower', 'ToUpper', 'Trim', 'Substring', 'StartsWith', 'EndsWith'],
    ...['Contains', 'IndexOf', 'Replace', 'Split', 'Abs', 'Round', 'Floor', 'Ceiling', 'AddDays', 'AddMonths'],
  ].values(),
);
/** The only names of .NET that may begin an expression. */
const roots = new Set(['LoadDocument', 'Math']);
const reserved = /^(?:this|base|global|typeof|sizeof|nameof|stackalloc|unsafe|delegate|await|async|checked|unchecked)$/;

/**
 * Refuses indexes whose code does more than read documents: the server compiles it as C#, and runs it with all its own
 * rights. JavaScript (`map('collection', …)`) runs in a sandbox of the server's. Throws 'permission'.
 */
export function vetIndexes(definitions: readonly Readonly<Record<string, unknown>>[]): void {
  for (const definition of definitions) {
    const [other] = Object.keys(definition).filter((key) => !keys.has(key));
    if (other !== undefined) throw refusal(`${other} of an index`);
    const { Maps: maps, Reduce: reduce, Type: type, Fields: fields } = definition;
    const analyzer = analyzersOf(fields).find((name) => !ownAnalyzer.test(name));
    if (analyzer !== undefined) throw refusal(`The analyzer “${analyzer}” of an index`);
    // The server decides by the first map, so a list of both kinds does not count as a script.
    if (type === undefined && [maps].flat().every((code) => /^\s*map\s*\(/.test(String(code)))) continue;
    for (const code of [maps, reduce ?? []].flat()) {
      const wrong = whatReaches(String(code));
      if (wrong !== null) throw refusal(`“${wrong}” in an index`);
    }
  }
}

/** The server looks any other name up among all types of .NET. */
const ownAnalyzer = /^(?:Lucene\.Net\.Analysis\.(?:\w+\.)*)?[A-Za-z]\w*$/;

const analyzersOf = (fields: unknown): readonly string[] =>
  entriesOf(fields).flatMap(([, field]) =>
    entriesOf(field).flatMap(([key, name]) => (/^analyzer$/i.test(key) && name !== null ? [String(name)] : [])),
  );

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  Object.entries(typeof value === 'object' && value !== null ? value : {});

const refusal = (what: string): DynoError =>
  new DynoError('permission', `${what} is not let run: C# of an index may ask questions of documents, and no more.`, {
    hint: 'JavaScript does as well: "Maps": ["map(\'{table}\', row => ({ … }))"].',
  });

/** The parts of code: texts and characters, names, and signs, of which the longer ones come first. */
const tokens = /"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)'|[A-Za-z_]\w*|\d[\w.]*|=>|==|::|->|\/\/|\/\*|[^\s]/g;
const isText = (token: string) => /^["']/.test(token);
const isName = (token: string | undefined) => token !== undefined && /^[A-Za-z_]/.test(token);

function whatReaches(code: string): string | null {
  // A raw string of C# 11 would end at another place than the texts here.
  if (code.includes('"""')) return '"""';
  const found = code.match(tokens) ?? [];
  for (const [i, token] of found.entries()) {
    const [before, after] = [found[i - 1], found[i + 1]];
    if (isText(token)) continue;
    if (!isName(token)) {
      if (/^(?:::|->|\/\/|\/\*|[^\d!%&()*+,\-./:<=>?[\]{|}])$/.test(token) || (token === '=>' && after === '{'))
        return token;
      continue;
    }
    if (reserved.test(token)) return token;
    if (token === 'new' && after !== '{' && after !== '[') return `new ${after}`;
    // A call, or a method of a type.
    if ((after === '(' || after === '<') && !words.has(token) && !calls.has(token) && !isCompared(found, i))
      return token;
    const isRoot = before !== '.' && !/^[a-z_]/.test(token) && !roots.has(token);
    // "{ Total = … }" names a field.
    if (isRoot && !(after === '=' && (before === '{' || before === ','))) return token;
  }
  return null;
}

/** "a.price < 3" is no call: a value is compared, and calls are checked separately. */
const isCompared = (found: readonly string[], i: number): boolean =>
  found[i + 1] === '<' && !/^[A-Z]/.test(found[i + 2] ?? '') && !words.has(found[i + 2] ?? '');
