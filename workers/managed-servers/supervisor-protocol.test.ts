import { expect, test } from 'vitest';
import { jsonLines, mostOfLine } from './supervisor-protocol.ts';

test('a line without an end is given up, whatever the pieces in which it comes, and the whole ones before it are read', () => {
  for (const piece of [1_000, mostOfLine + 1]) {
    const values: unknown[] = [];
    let tooLong = 0;
    const read = jsonLines(
      (value) => values.push(value),
      () => tooLong++,
    );
    read(`{"tell":"stopped"}\n"${'x'.repeat(mostOfLine - 2)}"\n`);
    expect(values).toHaveLength(2);
    for (let sent = 0; sent <= mostOfLine; sent += piece) {
      expect(tooLong).toBe(0);
      read('x'.repeat(piece));
    }
    expect(tooLong).toBe(1);
    expect(values).toHaveLength(2);
  }
});
