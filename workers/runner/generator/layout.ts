import type { RowLayout } from '#model/batch/batch.ts';
import { allocate } from './memory.ts';

/** Copies of one block this long stay in the first-level cache. */
const blockBytes = 16_384;

/** Head, `rows` copies of the template, tail. The copied part doubles until it is a block long. */
export function layOut({ template, head, tail }: RowLayout, rows: number): Uint8Array {
  const body = rows * template.length;
  const buffer = allocate(head.length + body + tail.length);
  buffer.set(head, 0);
  buffer.set(tail, head.length + body);
  if (body === 0) return buffer;
  const start = head.length;
  buffer.set(template, start);
  const block = Math.max(1, Math.floor(blockBytes / template.length)) * template.length;
  for (let filled = template.length; filled < body; ) {
    const bytes = Math.min(filled, block, body - filled);
    buffer.copyWithin(start + filled, start, start + bytes);
    filled += bytes;
  }
  return buffer;
}
