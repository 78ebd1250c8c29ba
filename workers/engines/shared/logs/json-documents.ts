import type { LogReader, LogSink } from '#engine-api/statement-log.ts';
import { isMapping } from '#model/is-mapping.ts';

/** The most characters of a document that spans lines. */
const mostDocument = 64 * 1_024 * 1_024;

/**
 * Reads JSON documents from lines: one a line, the members of a list, or documents that span lines. `read` gets each
 * document; if it throws, the document cannot be read.
 */
export function jsonDocuments(
  sink: LogSink,
  read: (document: Readonly<Record<string, unknown>>, line: number) => void,
): LogReader {
  let parts: string[] = [];
  let size = 0;
  let first = 0;
  let depth = 0;
  let isQuoted = false;
  const take = (document: unknown, line: number) => {
    if (isMapping(document)) read(document, line);
    else sink.unreadable(line);
  };
  const scan = (text: string) => {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (isQuoted) {
        if (code === 0x5c) at++;
        else if (code === 0x22) isQuoted = false;
      } else if (code === 0x22) isQuoted = true;
      else if (code === 0x7b) depth++;
      else if (code === 0x7d) depth--;
    }
  };
  const reset = () => {
    parts = [];
    size = 0;
    depth = 0;
    isQuoted = false;
  };
  return {
    line(text, number, isCut) {
      if (isCut) {
        sink.unreadable(parts.length > 0 ? first : number);
        return reset();
      }
      // A member of a list: the bracket in front of it and the comma behind it are not its own.
      const plain = parts.length > 0 ? text : text.replace(/^\s*\[?\s*,?\s*/, '').replace(/[,\]\s]+$/, '');
      if (parts.length === 0 && plain === '') return;
      // A document that begins a line ends the one before it, which has lost its end.
      const next = parts.length > 0 && text.startsWith('{"') ? parsed(text) : undefined;
      if (next !== undefined) {
        sink.unreadable(first);
        reset();
        return take(next, number);
      }
      if (parts.length === 0) {
        if (!plain.startsWith('{')) return sink.unreadable(number);
        const whole = plain.endsWith('}') ? parsed(plain) : undefined;
        if (whole !== undefined) return take(whole, number);
        first = number;
      }
      scan(plain);
      // JSON has no line end within quotes: the line has lost its end.
      if (isQuoted) {
        sink.unreadable(first);
        return reset();
      }
      parts.push(plain);
      size += plain.length;
      if (depth <= 0) {
        take(parsed(parts.join('\n')), first);
        reset();
      } else if (size > mostDocument) {
        sink.unreadable(first);
        reset();
      }
    },
    end() {
      if (parts.length > 0) sink.unreadable(first);
      reset();
    },
  };
}

/** The value of a JSON text, whatever of a list stands behind it; undefined: it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/[,\]\s]+$/, ''));
  } catch {
    return undefined;
  }
}

/** The first document of a file's first lines, if the lines have all of it; else null. */
export function firstDocument(head: readonly string[]): Readonly<Record<string, unknown>> | null {
  let found: Readonly<Record<string, unknown>> | null = null;
  const none = { calls() {}, other() {}, unreadable() {} };
  const reader = jsonDocuments(none, (document) => {
    found ??= document;
  });
  for (const [i, line] of head.slice(0, 200).entries()) {
    reader.line(line, i + 1, false);
    if (found) return found;
  }
  return found;
}
