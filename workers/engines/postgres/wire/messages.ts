import type { ParameterValue } from '../values/values.ts';

/**
 * The messages of one call (manual, "Message Flow" and "Message Formats"), ready to be sent in one piece. `pg` makes
 * objects of a call while the clock runs, and several pieces for the socket: half of the client's time for a short one.
 */

/** The first byte of what simpleQuery() makes: Q. */
export const simpleQueryType = 0x51;

/** A text without parameters; the server runs several statements, if it holds them: {@link parseOnly} refuses those. */
export const simpleQuery = (text: string): Buffer => message('Q', Buffer.from(`${text}\0`));

/** The unnamed statement: parsed, bound, described and executed, as the client does not know its columns yet. */
export const executeUnnamed = (
  text: string,
  values: readonly ParameterValue[],
  types: readonly number[] = [],
): Buffer => Buffer.concat([parse('', text, types), bind('', values, describeExecuteSync)]);

/** The unnamed statement, parsed and not run. */
export const parseOnly = (text: string): Buffer => Buffer.concat([parse('', text, []), message('S', Buffer.alloc(0))]);

/** A named statement that the server has parsed: bound and executed. */
export const executeNamed = (name: string, values: readonly ParameterValue[]): Buffer =>
  bind(name, values, executeSync);

/** `types`: of the parameters, by their object ids; those that are left out, and zeros, the server finds by itself. */
export function parse(name: string, text: string, types: readonly number[]): Buffer {
  const declared = Buffer.alloc(2 + 4 * types.length);
  let at = declared.writeUInt16BE(types.length);
  for (const type of types) at = declared.writeUInt32BE(type, at);
  return message('P', Buffer.concat([Buffer.from(`${name}\0${text}\0`), declared]));
}

function message(type: string, body: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Executes the unnamed portal for all of its rows. */
const executeSync = Buffer.concat([message('E', Buffer.alloc(5)), message('S', Buffer.alloc(0))]);
const describeExecuteSync = Buffer.concat([message('D', Buffer.from('P\0')), executeSync]);

/** `then`: the messages that follow. Buffers travel in binary format, all else as text, and so do the answers. */
function bind(statement: string, values: readonly ParameterValue[], then: Buffer): Buffer {
  const names = `\0${statement}\0`;
  const fields = values.map((value) => (value === null || typeof value === 'object' ? value : String(value)));
  let length = 4 + names.length + 2 * fields.length + 6;
  for (const field of fields) length += 4 + (field === null ? 0 : Buffer.byteLength(field));
  const bytes = Buffer.allocUnsafe(1 + length + then.length);
  let at = bytes.write('B', 'latin1');
  at = bytes.writeInt32BE(length, at);
  at += bytes.write(names, at, 'latin1');
  at = bytes.writeUInt16BE(fields.length, at);
  for (const field of fields) at = bytes.writeUInt16BE(typeof field === 'object' && field !== null ? 1 : 0, at);
  at = bytes.writeUInt16BE(fields.length, at);
  for (const field of fields) {
    if (field === null) at = bytes.writeInt32BE(-1, at);
    else {
      const written = typeof field === 'string' ? bytes.write(field, at + 4) : field.copy(bytes, at + 4);
      at = bytes.writeInt32BE(written, at) + written;
    }
  }
  then.copy(bytes, bytes.writeUInt16BE(0, at));
  return bytes;
}
