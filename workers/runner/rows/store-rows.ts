import { rmSync } from 'node:fs';
import type { FileColumnSpec } from '#model/dataset/column-specs.ts';
import type { FromFile } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { formatCount } from '#model/format/format.ts';
import type { StoredFacts, StoreRequest } from '#protocol/stored-rows.ts';
import { sha256OfFile } from './file-bytes.ts';
import { ofFileContents } from './file-contents.ts';
import { readRows } from './read-rows.ts';
import type { ParquetType, Reading, WantedColumns } from './row-sink.ts';
import { RowsInMemory, RowsWriter } from './stored-rows.ts';
import { type TypedColumn, typedColumn } from './typed-column.ts';
import { requireUnique } from './unique-key.ts';

const blockRows = 8_192;
const blockBytes = 1_000_000;
const progressRows = 100_000;

/**
 * Reads the rows of a file and stores them for the workers of a run. Throws 'badInput' if the file has changed since
 * the run began. Throws 'fileContents' with file, line and column for a value that does not fit its column, for a
 * column that the file lacks, and for a key that two rows have.
 */
export async function storeRows(
  request: StoreRequest,
  onRows: (rows: number) => void,
  signal: AbortSignal,
): Promise<StoredFacts> {
  const { from, path, to, sha256, key } = request;
  if ((await sha256OfFile(path, signal)) !== sha256)
    throw new DynoError('badInput', `${from.file} has changed since the run began.`, {
      hint: 'Trials with other rows cannot be compared with those before: run the experiment anew.',
    });
  try {
    const facts = await writeAll(request, onRows, signal);
    if (facts.rows === 0) throw noRows(from.file);
    if (key !== null) requireUnique(to, key, facts.rows, from.file, signal);
    return facts;
  } catch (thrown) {
    rmSync(to, { force: true });
    throw ofFileContents(thrown);
  }
}

/** The first rows of a file, for a preview. Throws 'badInput' where {@link storeRows} throws 'fileContents'. */
export async function firstRows(request: RowsToRead, signal: AbortSignal): Promise<RowsInMemory> {
  const kept = new RowsInMemory(Object.keys(request.columns));
  await write(request, kept, () => {}, signal);
  if (kept.rows === 0) throw noRows(request.from.file);
  return kept;
}

const noRows = (file: string): DynoError => new DynoError('badInput', `${file} has no rows.`);

/** The rows and columns of a file that are read. */
type RowsToRead = Pick<StoreRequest, 'from' | 'path' | 'columns' | 'most'>;

async function writeAll(
  request: StoreRequest,
  onRows: (rows: number) => void,
  signal: AbortSignal,
): Promise<StoredFacts> {
  using writer = new RowsWriter(request.to, Object.keys(request.columns));
  const facts = await write(request, writer, onRows, signal);
  writer.finish();
  return facts;
}

async function write(
  { from, path, columns, most }: RowsToRead,
  writer: Pick<RowsWriter, 'add'>,
  onRows: (rows: number) => void,
  signal: AbortSignal,
): Promise<StoredFacts> {
  const names = Object.keys(columns);
  const specs = Object.values(columns);
  const makers: readonly TypedColumn[] = specs.map(typedColumn);
  let reading: Reading = { place: 'line 1', bytes: 0 };
  let rows = 0;
  let inBlock = 0;
  let isWhole = true;
  const found = new Set<number>();
  const fail = (column: number, why: string): never => {
    throw new DynoError(
      'badInput',
      `${from.file}, ${reading.place}, column “${nameInFile(names[column]!, specs[column]!)}”: ${why}.`,
      {
        hint: why.startsWith('null')
          ? 'Write `nulls: 1` for the column, which may then be null, or name with `nullAs` another word for null.'
          : 'Correct the value, or give the column another type.',
      },
    );
  };
  const flush = () => {
    if (inBlock > 0)
      writer.add(
        inBlock,
        makers.map((maker) => maker.take()),
      );
    inBlock = 0;
  };
  await readRows(
    path,
    from,
    {
      onColumns: (there, typed) => wantedOf(columns, there, typed, from, found),
      sink: {
        value(column, bytes, start, end) {
          const wrong = makers[column]!.add(bytes, start, end);
          if (wrong !== null) fail(column, wrong);
        },
        noValue(column) {
          const wrong = makers[column]!.addNull();
          if (wrong !== null) fail(column, wrong);
        },
        nested(column, bytes) {
          if (specs[column]!.as !== 'document') fail(column, 'an object or a list, which only `as: document` stores');
          this.value(column, bytes, 0, bytes.length);
        },
        endRow() {
          rows++;
          inBlock++;
          // Columns of NDJSON that no object has had so far are null.
          if (found.size < names.length) for (const c of names.keys()) if (!found.has(c)) this.noValue(c);
          if (inBlock === blockRows || (inBlock % 64 === 0 && blockSize(makers) >= blockBytes)) flush();
          if (rows % progressRows === 0) onRows(rows);
          isWhole = rows < most;
          return isWhole;
        },
      },
    },
    (begun) => {
      reading = begun;
    },
    signal,
  );
  const missing = names.find((_, c) => !found.has(c));
  if (missing !== undefined && rows > 0) throw noColumn(from.file, nameInFile(missing, columns[missing]!), []);
  flush();
  return { rows, isWhole };
}

const blockSize = (makers: readonly TypedColumn[]): number => makers.reduce((sum, { bytes }) => sum + bytes, 0);

/** The name of a table’s column in the file. */
const nameInFile = (name: string, { column = name }: FileColumnSpec): string => column;

/** Selects the wanted columns of the file. `found`: the table’s columns that the file has. */
function wantedOf(
  columns: StoreRequest['columns'],
  there: readonly string[],
  typed: ReadonlyMap<string, ParquetType>,
  { file, format }: FromFile,
  found: Set<number>,
): WantedColumns {
  const wanted = new Map<string, number[]>();
  for (const [index, [name, spec]] of Object.entries(columns).entries()) {
    const column = nameInFile(name, spec);
    const type = typed.get(column);
    if (!there.includes(column)) {
      if (isNamedOnce(format, file)) throw noColumn(file, column, there);
      continue;
    }
    if (there.indexOf(column) !== there.lastIndexOf(column))
      throw new DynoError('badInput', `${file} has two columns “${column}”.`, {
        hint: 'Rename one of them in the file.',
      });
    if (type?.as === null)
      throw new DynoError('badInput', `${file}: the column “${column}” is ${type.why}.`, { hint: 'Leave it out.' });
    if (type?.as === 'bytes' && spec.as !== 'bytes')
      throw new DynoError('badInput', `${file}: the column “${column}” holds bytes.`, { hint: 'Write `as: bytes`.' });
    found.add(index);
    wanted.set(column, [...(wanted.get(column) ?? []), index]);
  }
  return wanted;
}

/** True if the file names all its columns at its beginning, which NDJSON does not. */
const isNamedOnce = (format: FromFile['format'], file: string): boolean =>
  format === undefined ? !/\.(ndjson|jsonl|json)(\.gz|\.zst)?$/i.test(file) : format !== 'ndjson';

const noColumn = (file: string, column: string, there: readonly string[]): DynoError =>
  new DynoError('badInput', `${file} has no column “${column}”.`, {
    ...(there.length > 0 && { hint: `It has: ${there.slice(0, 50).join(', ')}.` }),
  });

/** The error of a table that needs more rows than its file has. */
export const tooFewRows = (file: string, rows: number, needed: number): DynoError =>
  new DynoError(
    'fileContents',
    `${file} has ${formatCount(rows)} rows, and row ${formatCount(needed)} is needed; its key makes each usable once.`,
    {
      hint: 'Lower `rows`. An insert also needs rows for its warm-up: end it by `until: { rows: … }`, and write `warmupRows: 0` for all rows of the file.',
    },
  );
