import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { toErrorData } from '#model/error.ts';

/** The most characters of a line: the rest of a longer one is left out. */
const mostLine = 32 * 1_024 * 1_024;
const chunkBytes = 256 * 1_024;

interface LineReading {
  /** `bytes`: those of the file that have been read so far. */
  onLine(text: string, number: number, isCut: boolean): void;
  onProgress(bytes: number): void;
  readonly signal: AbortSignal;
}

/** The end of a file. */
interface LineEnd {
  readonly lines: number;
  /** Lines that are longer than the most that is read. */
  readonly cut: number;
  /** True if a compressed file ends before its end, or is damaged behind what was read. */
  readonly isDamaged: boolean;
}

/** Reads the lines of a text file in UTF-8 or, with its mark, in UTF-16, plain or compressed by gzip. */
export async function readLines(file: string, { onLine, onProgress, signal }: LineReading): Promise<LineEnd> {
  const handle = await open(file, 'r');
  const start = Buffer.alloc(4);
  const { bytesRead } = await handle.read(start, 0, 4, 0);
  await handle.close();
  const isGzip = bytesRead >= 2 && start[0] === 0x1f && start[1] === 0x8b;
  const source = createReadStream(file, { highWaterMark: chunkBytes });
  source.on('data', () => onProgress(source.bytesRead));
  const gunzip = isGzip ? createGunzip({ chunkSize: chunkBytes }) : null;
  if (gunzip) {
    source.on('error', (error) => gunzip.destroy(error));
    source.pipe(gunzip);
  }
  let decoder: TextDecoder | null = null;
  let rest: string[] = [];
  let size = 0;
  let isCut = false;
  let [lines, cut, isDamaged] = [0, 0, false];
  const give = (end: string) => {
    const line = rest.length === 0 ? end : rest.join('') + end;
    rest = [];
    size = 0;
    lines++;
    if (isCut) cut++;
    onLine(line.endsWith('\r') ? line.slice(0, -1) : line, lines, isCut);
    isCut = false;
  };
  const take = (text: string) => {
    let at = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
      give(isCut ? '' : text.slice(at, end));
      at = end + 1;
    }
    if (at >= text.length || isCut) return;
    rest.push(at === 0 ? text : text.slice(at));
    size += text.length - at;
    if (size > mostLine) isCut = true;
  };
  try {
    for await (const chunk of (gunzip ?? source) as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      decoder ??= new TextDecoder(encodingOf(chunk));
      take(decoder.decode(chunk, { stream: true }));
    }
    if (decoder) take(decoder.decode());
  } catch (thrown) {
    const { code } = toErrorData(thrown);
    if (signal.aborted || !isGzip || !String((thrown as { code?: unknown }).code ?? code).startsWith('Z_'))
      throw thrown;
    isDamaged = true;
  } finally {
    source.destroy();
    gunzip?.destroy();
  }
  if (size > 0 || isCut) give('');
  return { lines, cut, isDamaged };
}

const encodingOf = (start: Buffer): string =>
  start[0] === 0xff && start[1] === 0xfe ? 'utf-16le' : start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : 'utf-8';
