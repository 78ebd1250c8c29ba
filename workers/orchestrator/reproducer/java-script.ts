import type { Cannot, JdbcClient, Reproducer, StatementParts } from '#engine-api/reproducer.ts';
import type { ColumnMaker } from './column-makers.ts';
import { javaCode } from './java-code.ts';
import type { ReproducedCell } from './reproduced-cell.ts';
import { asciiText, wrapped } from './script-header.ts';
import { statementsFor, workOf } from './script-work.ts';

/** The most characters of listed values and statements: the constants of a class take 64 KiB of code at most. */
const mostCharacters = 20_000;

const imports = [
  'java.io.*',
  'java.math.*',
  'java.nio.*',
  'java.nio.charset.StandardCharsets',
  'java.security.MessageDigest',
  'java.sql.Connection',
  'java.sql.DatabaseMetaData',
  'java.sql.DriverManager',
  'java.sql.PreparedStatement',
  'java.sql.ResultSet',
  'java.sql.SQLException',
  'java.sql.Timestamp',
  'java.sql.Types',
  'java.time.*',
  'java.time.format.DateTimeFormatter',
  'java.util.*',
  'java.util.concurrent.*',
];

/** A script for Java 17: one file, which `java` compiles and runs, over JDBC. */
export function javaScript(
  cell: ReproducedCell,
  reproducer: Reproducer,
  client: JdbcClient,
  header: readonly string[],
): string | Cannot {
  const statements = statementsFor(reproducer, cell);
  if (statements === null) return { cannot: 'JDBC sends SQL, which this engine does not have.' };
  if ('cannot' in statements) return statements;
  const { work, columns } = cell;
  const { operation, method, seed, trialSeed, key, sent, loadedRows, connections, callsPerCommit, ...more } =
    workOf(cell);
  const { forms, properties } = client;
  const constants: readonly (readonly [string, string, string])[] = [
    ['String', 'OPERATION', javaText(operation)],
    ['String', 'METHOD', javaText(method)],
    ['long', 'SEED', javaNumber(seed)],
    ['long', 'TRIAL_SEED', javaNumber(trialSeed)],
    ['int', 'KEY', String(key ?? -1)],
    ['int[]', 'SENT', ints(sent)],
    ['long', 'LOADED_ROWS', javaNumber(loadedRows)],
    ['int', 'CONNECTIONS', String(connections)],
    ['int', 'CALLS_PER_COMMIT', String(callsPerCommit)],
    ['int', 'ROWS_PER_CALL', String(more.rowsPerCall)],
    ['int', 'FETCH_SIZE', String(method === 'literal' ? 0 : more.fetchSize)],
    ['boolean', 'READS', String(more.reads)],
    ['long', 'WARMUP_ROWS', javaNumber(more.warmupRows ?? 0)],
    ['long', 'ROWS', javaNumber(more.rows ?? 0)],
    ['double', 'WARMUP_SECONDS', String(more.warmupSeconds ?? 0)],
    ['double', 'SECONDS', String(more.seconds ?? -1)],
    ['Statement', 'ONE', partsCode(statements.one)],
    ['Statement', 'SEVERAL', statements.several === null ? 'null' : partsCode(statements.several)],
    ['Statement', 'INSERT', partsCode(statements.insert)],
    ['Made[]', 'OBJECTS', array(reproducer.objects(work).map(objectCode))],
    ['String', 'CHECKSUM_SQL', reproducer.checksum === undefined ? 'null' : javaText(reproducer.checksum(work))],
    ['String', 'ALL_SQL', javaText(reproducer.statement!({ ...work, operation: 'scan' }, 1, () => ''))],
    ['String', 'URL_EXAMPLE', javaText(client.url)],
    ['String[][]', 'PROPERTIES', array(Object.entries(properties).map((one) => texts(one)))],
    ['String', 'UUID_FORM', javaText(client.uuid)],
    ['boolean', 'IS_UUID_HEX', String(forms.uuidDigits === 'hex')],
    ['String[]', 'UUID_QUOTES', texts(forms.uuid)],
    ['String[]', 'BYTES_QUOTES', texts(forms.bytes)],
    ['String[]', 'TIME_QUOTES', texts(forms.timestamp)],
    ['String[]', 'TEXT_QUOTES', texts(forms.text)],
    ['String[]', 'HEX_TEXT_QUOTES', forms.hexText === null ? 'null' : texts(forms.hexText)],
    ['String', 'FALSE_WORD', javaText(forms.booleans[0])],
    ['String', 'TRUE_WORD', javaText(forms.booleans[1])],
    ['Column[]', 'COLUMNS', array(columns.map(columnCode))],
  ];
  if (constants.reduce((sum, [, , code]) => sum + code.length, 0) > mostCharacters)
    return { cannot: 'The columns and their listed values are more than the constants of a class can hold.' };
  return [
    asciiText(wrapped(header, '//')),
    `//\n//   java -cp DRIVER.jar FILE.java           measures\n//   java -cp DRIVER.jar FILE.java --rows 5  prints the first rows, without a server\n//   KEEP=1 java -cp DRIVER.jar FILE.java    leaves the table there`,
    `${imports.map((name) => `import ${name};`).join('\n')}`,
    `public class DynoScript {\n${constants.map(([type, name, code]) => `    static final ${type} ${name} = ${code};`).join('\n')}`,
    `${javaCode}\n}`,
    '',
  ].join('\n\n');
}

/**
 * A text as a literal of Java. The compiler replaces \u escapes before it reads literals, so control characters are
 * octal escapes; a doubled backslash before a u begins no escape.
 */
export const javaText = (text: string): string =>
  `"${text.replaceAll(/[^ !#-[\]-~]/g, (one) => {
    const code = one.charCodeAt(0);
    if (one === '"' || one === '\\') return `\\${one}`;
    return code < 0x80 ? `\\${code.toString(8).padStart(3, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  })}"`;

const javaNumber = (value: number): string => `${value}L`;
const array = (items: readonly string[]): string => `{${items.join(', ')}}`;
const texts = (items: readonly string[]): string => `new String[] ${array(items.map(javaText))}`;
const ints = (items: readonly number[]): string => `new int[] ${array(items.map(String))}`;

const partsCode = ({ first, between, next, last, columns }: StatementParts): string =>
  `new Statement(${javaText(first)}, ${texts(between)}, ${javaText(next)}, ${javaText(last)}, ${ints(columns)})`;

const orNull = (text: string | undefined): string => (text === undefined ? 'null' : javaText(text));

const objectCode = ({ exists, create, usedBy, drop }: ReturnType<Reproducer['objects']>[number]): string =>
  `new Made(${orNull(exists)}, ${texts(create)}, ${orNull(usedBy)}, ${javaText(drop)})`;

function columnCode({ name, type, maker, nulls }: ReproducedCell['columns'][number]): string {
  const [least, count] = rangeOf(maker);
  const values =
    maker.kind === 'oneOf'
      ? maker.values.map((one) => (typeof one === 'number' ? javaNumber(one) : javaText(one)))
      : [];
  return `new Column(${[
    javaText(name),
    javaText(type.kind),
    type.kind === 'decimal' ? type.scale : 0,
    javaText(maker.kind),
    `${least}d`,
    `${count}d`,
    javaText(maker.kind === 'text' ? maker.alphabet : ''),
    `new Object[] ${array(values)}`,
    nulls,
  ].join(', ')})`;
}

/** The two numbers of a maker: its least value and the number of values, its lengths, its start, or its share. */
function rangeOf(maker: ColumnMaker): readonly [number, number] {
  switch (maker.kind) {
    case 'number':
      return [maker.least, maker.count];
    case 'text':
    case 'bytes':
      return [maker.min, maker.max];
    case 'sequence':
      return [maker.start, 0];
    case 'boolean':
      return [0, maker.trueShare];
    default:
      return [0, 0];
  }
}
