import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import type { FileFormat, FromFile } from '#model/dataset/dataset.ts';
import { DynoError, toErrorData } from '#model/error.ts';

/** The compression of a file by the ending of its name; null: it is not compressed. */
const compressionOf = (file: string): 'gzip' | 'zstd' | null =>
  /\.gz$/i.test(file) ? 'gzip' : /\.zst$/i.test(file) ? 'zstd' : null;

/** The format of a file. Throws 'badInput' where neither `format` nor the ending of its name says it. */
export function formatOf({ file, format }: Pick<FromFile, 'file' | 'format'>): FileFormat {
  if (format !== undefined) return format;
  const [, ending = ''] = /\.(\w+)(?:\.gz|\.zst)?$/i.exec(file) ?? [];
  const found = endings[ending.toLowerCase()];
  if (found !== undefined) return found;
  throw new DynoError('badInput', `The name of ${file} does not tell its format.`, {
    hint: 'Write `format: csv`, `ndjson` or `parquet` beside `file`.',
  });
}

const endings: Readonly<Record<string, FileFormat>> = {
  csv: 'csv',
  tsv: 'csv',
  txt: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'ndjson',
  parquet: 'parquet',
  pq: 'parquet',
};

/** Bytes that are read at once. */
const chunkBytes = 1_048_576;

/** The SHA-256 of a file, in hexadecimal digits. */
export async function sha256OfFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes, ...(signal && { signal }) }))
    hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Takes the bytes of a file. Returns false if it wants no more. */
type TakeBytes = (chunk: Uint8Array, isLast: boolean) => boolean;

/**
 * Reads a file of text as UTF-8 bytes, decompressed and converted from its encoding, to its end or until `take` wants
 * no more. Throws 'badInput' for a file that cannot be decompressed.
 */
export async function readBytes(path: string, from: FromFile, take: TakeBytes, signal: AbortSignal): Promise<void> {
  let decoder: TextDecoder | null = null;
  let isFirst = true;
  try {
    for await (const piece of streamOf(path, from.file)) {
      signal.throwIfAborted();
      const chunk = piece as Buffer;
      if (isFirst) decoder = decoderOf(chunk, from.encoding);
      isFirst = false;
      const bytes = decoder === null ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }));
      if (!take(bytes, false)) return;
    }
    take(decoder === null ? new Uint8Array(0) : Buffer.from(decoder.decode()), true);
  } catch (thrown) {
    if (thrown instanceof DynoError || signal.aborted) throw thrown;
    throw new DynoError('badInput', `${from.file} cannot be read: ${toErrorData(thrown).message}`);
  }
}

function streamOf(path: string, file: string): Readable {
  const stream = createReadStream(path, { highWaterMark: chunkBytes });
  const compression = compressionOf(file);
  if (compression === null) return stream;
  const options = { chunkSize: chunkBytes };
  const unpacked = compression === 'gzip' ? createGunzip(options) : createZstdDecompress(options);
  // The reader of the last stream gets the errors of both streams. compose() may leave the error of a truncated file
  // unhandled.
  return pipeline(stream, unpacked, () => {});
}

/** The decoder of a text that is not in UTF-8; null: the text is in UTF-8. */
function decoderOf([first, second]: Uint8Array, encoding: FromFile['encoding']): TextDecoder | null {
  if (encoding !== undefined) return encoding === 'utf-8' ? null : new TextDecoder(encoding);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  return first === 0xfe && second === 0xff ? new TextDecoder('utf-16be') : null;
}
