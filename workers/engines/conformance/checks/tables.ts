import { expect, test } from 'vitest';
import { methods, tableOperations } from '#model/settings/vocabulary.ts';
import { batches, expectedChecksum, makeRows, type Row, toBatch } from '../rows.ts';
import { prefix, type Suite, signal, tag } from '../suite.ts';

export function testTables(suite: Suite): void {
  const { withTable, planTable, expectContent, prepare, has, toError, keepsRows, descriptor } = suite;
  const rows = makeRows(0, 60);
  test('settling and reporting leave every row where it is', async () => {
    await withTable(async (table) => {
      await suite.session.reportWork?.();
      await suite.database.settle(table);
      await suite.database.settle(table);
      await expectContent(table, rows);
    }, rows);
  });

  test('what an empty cell promises: prepare refuses as unsupported', async () => {
    await withTable(async (table) => {
      const empty = tableOperations.flatMap((operation) =>
        methods.filter((method) => !has(operation, method)).map((method) => [operation, method] as const),
      );
      expect(empty.length).toBeGreaterThan(0);
      for (const [operation, method] of empty) {
        const error = await prepare(table, operation, method).catch(toError);
        expect(error, `${operation} by ${method}`).toMatchObject({ kind: 'unsupported' });
      }
    });
  });

  test('load reports progress and stops when told to', async () => {
    await withTable(async (table) => {
      const progress: number[] = [];
      await suite.database.load(table, batches(rows, 25), (n) => progress.push(n), signal);
      expect(progress).toEqual([25, 50, 60]);
      await expectContent(table, rows);
      const stop = new AbortController();
      const more = suite.database.load(table, batches(makeRows(100, 50), 10), () => stop.abort(), stop.signal);
      expect(await more.catch(toError)).toMatchObject({ kind: 'cancelled' });
      await expectContent(table, rows);
    });
  });

  test('a load does not wait for another one of the same table, where the descriptor says so', async () => {
    if (!descriptor.loadsInParallel) return;
    await using other = await suite.engine.open(suite.config.parse(suite.server.raw), tag, signal);
    await withTable(async (table) => {
      const sent: Row[] = [];
      let otherIsDone = false;
      function* untilTheOtherIsDone() {
        for (const row of makeRows(100, 2_000)) {
          if (otherIsDone) return;
          sent.push(row);
          yield toBatch([row]);
        }
      }
      await Promise.all([
        suite.database.load(table, untilTheOtherIsDone(), () => {}, signal),
        other
          .load(table, batches(rows, 10), () => {}, signal)
          .then(() => {
            otherIsDone = true;
          }),
      ]);
      expect(sent.length).toBeLessThan(2_000);
      await expectContent(table, [...rows, ...sent]);
    });
  });

  test('tables of others are neither overwritten nor dropped', async () => {
    const { foreign } = suite.server;
    if (!foreign) return;
    const name = `${prefix}foreign`;
    await withTable(async () => {}); // the schema is there
    await foreign.create(name);
    try {
      const kind = (thrown: unknown) => toError(thrown).kind;
      expect(await suite.database.prepareSchema(planTable(name)).catch(kind)).toBe('notOurs');
      expect(await suite.database.drop(planTable(name)).catch(kind)).toBe('notOurs');
      expect(await suite.database.leftovers('')).not.toContain(name);
      expect((await suite.database.dropLeftovers(prefix)).dropped).toEqual([]);
      expect(await foreign.count(name)).toBe(1);
    } finally {
      await foreign.drop(name);
    }
  });

  test('a copy of a table, which has the mark of the original, belongs to whoever made it', async () => {
    const { foreign } = suite.server;
    if (!foreign?.copy) return;
    const name = `${prefix}copy`;
    await withTable(async (table) => {
      await foreign.copy?.(table.name, name);
      try {
        const kind = (thrown: unknown) => toError(thrown).kind;
        expect(await suite.database.leftovers('')).not.toContain(name);
        expect(await suite.database.prepareSchema(planTable(name)).catch(kind)).toBe('notOurs');
        expect(await suite.database.drop(planTable(name)).catch(kind)).toBe('notOurs');
        expect((await suite.database.dropLeftovers(name)).dropped).toEqual([]);
        expect(await foreign.count(name)).toBe(0);
      } finally {
        await foreign.drop(name);
      }
    });
  });

  test('a table on which something of a user depends stays, with its name in the reason, and the others go', async () => {
    const { foreign } = suite.server;
    if (!foreign?.hold) return;
    const [held, other] = [planTable(`${prefix}held_a`), planTable(`${prefix}held_b`)];
    for (const table of [held, other]) await suite.database.prepareSchema(table);
    const holder = `${prefix}mine`;
    await foreign.hold(held.name, holder);
    try {
      const refused = await suite.database.drop(held).catch(toError);
      expect(refused).toMatchObject({ kind: 'notOurs', message: expect.stringMatching(new RegExp(holder, 'i')) });
      const { dropped, kept } = await suite.database.dropLeftovers(`${prefix}held_`);
      expect(dropped).toEqual([other.name]);
      expect(kept).toEqual([{ name: held.name, why: expect.stringMatching(new RegExp(holder, 'i')) }]);
      for (const text of [JSON.stringify(refused), kept[0]?.why]) expect(text).not.toMatch(/cascade/i);
      expect(await suite.database.leftovers(`${prefix}held_`)).toEqual([held.name]);
    } finally {
      await foreign.release?.(holder);
    }
    expect(await suite.database.dropLeftovers(`${prefix}held_`)).toEqual({ dropped: [held.name], kept: [] });
  });

  test('dropping is repeatable, and leftovers go by prefix', async () => {
    const mine = [planTable(`${prefix}left_a`), planTable(`${prefix}left_b`)];
    const other = planTable(`${prefix}stays`);
    for (const table of [...mine, other]) await suite.database.prepareSchema(table);
    const left = async (name: string) => (await suite.database.leftovers(name)).filter((one) => one.startsWith(prefix));
    expect(await left(`${prefix}left_`)).toEqual(keepsRows ? mine.map(({ name }) => name) : []);
    expect(await left('')).toEqual(keepsRows ? [...mine, other].map(({ name }) => name) : []);
    expect([...(await suite.database.dropLeftovers(`${prefix}left_`)).dropped].sort()).toEqual(
      keepsRows ? mine.map(({ name }) => name) : [],
    );
    await suite.database.prepareSchema(other); // as after an interrupted trial: the table is made anew
    await suite.database.drop(other);
    await suite.database.drop(other);
  });

  test('sessions of a tag are counted without the one that counts', async () => {
    // The tag is new, because other sessions of this suite's tag may still be closing.
    const own = `${tag}-counted`;
    const before = await suite.database.sessionsOf?.(own, 'everybody');
    if (before === undefined || before === null) return;
    expect(before).toBe(0);
    await using marked = await suite.engine.open(suite.config.parse(suite.server.raw), own, signal);
    expect(await marked.sessionsOf?.(own, 'everybody')).toBe(0);
    expect(await suite.database.sessionsOf?.(own, 'everybody')).toBeGreaterThan(0);
  });

  test('free space is that of a real place', async () => {
    const space = await suite.database.freeSpace?.();
    if (!space) return;
    expect(space.bytes).toBeGreaterThan(0);
    expect(space.where).not.toBe('');
    expect(Number.isFinite(space.bytes)).toBe(true);
  });

  test('an emptied cache leaves the rows where they are', async () => {
    expect(suite.database.emptyCache !== undefined).toBe(descriptor.emptyCache !== undefined);
    const rows = makeRows(0, 40);
    await withTable(async (table) => {
      const refused = await suite.database.emptyCache?.().then(() => null, toError);
      // A server with other users refuses to empty its cache.
      expect([undefined, 'unsupported']).toContain(refused?.kind);
      const found = await suite.database.checksum(table);
      if (keepsRows) expect(found).toEqual(expectedChecksum(rows));
    }, rows);
  });
}
