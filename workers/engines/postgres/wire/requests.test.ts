import { Writable } from 'node:stream';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { CopyInRequest } from './requests.ts';

/** A connection whose socket keeps what it is handed at a time, and takes more when told so. */
function keptConnection() {
  const writes: Buffer[] = [];
  let taken = () => {};
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      writes.push(chunk);
      taken = done;
    },
    writev: (chunks, done) => {
      writes.push(Buffer.concat(chunks.map(({ chunk }) => chunk)));
      taken = done;
    },
  });
  const connection = { stream, query: (text: string) => stream.write(Buffer.from(text)) } as unknown as pg.Connection;
  return {
    connection,
    writes,
    async takesMore() {
      taken();
      await new Promise(setImmediate);
    },
  };
}

const rowsOf = (bytes: number) => Buffer.alloc(bytes, 'r');

/** The statement, CopyData messages of 64 KiB each, and CopyDone. */
function allOf(data: Buffer): Buffer {
  const messages = Array.from({ length: Math.ceil(data.length / 65_536) }, (_, i) => {
    const chunk = data.subarray(i * 65_536, (i + 1) * 65_536);
    const head = Buffer.from('d0000');
    head.writeInt32BE(chunk.length + 4, 1);
    return [head, chunk];
  });
  return Buffer.concat([Buffer.from('COPY'), ...messages.flat(), Buffer.from([0x63, 0, 0, 0, 4])]);
}

test('statement, rows and end are one write, so that the server need not wait for us', () => {
  const { connection, writes } = keptConnection();
  const rows = rowsOf(1_500_000);
  new CopyInRequest('COPY', rows).submit(connection);
  expect(writes.length).toBe(1);
  expect(writes[0]!.equals(allOf(rows))).toBe(true);
});

test('many rows are sent no faster than the socket takes them', async () => {
  const { connection, writes, takesMore } = keptConnection();
  const rows = rowsOf(3_000_000);
  new CopyInRequest('COPY', rows).submit(connection);
  expect(writes.length).toBe(1);
  expect(writes[0]!.length).toBeLessThan(2_200_000);
  await takesMore();
  expect(writes.length).toBe(2);
  expect(Buffer.concat(writes).equals(allOf(rows))).toBe(true);
});

test('nothing more is sent after the statement has failed', async () => {
  const { connection, writes, takesMore } = keptConnection();
  const request = new CopyInRequest('COPY', rowsOf(3_000_000));
  request.submit(connection);
  request.handleError(new Error('no such table'));
  await expect(request.done).rejects.toThrow('no such table');
  await takesMore();
  expect(writes.length).toBe(1);
});
