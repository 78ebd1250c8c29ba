import { expect, test } from 'vitest';
import { parseFile } from '#rules/parsed-file.ts';
import type { FakeHandlers } from '../../dev/fake-ipc.ts';
import { fill, region, type TestWindow } from '../../dev/window.fixture.tsx';
import { longEnough, openSqlDialog, openStarting, readyRun } from './sql-dialog.fixture.tsx';

/** Opens the window, and counts the presses: a field that is filled counts as one. */
async function counting(handlers: Partial<FakeHandlers> = {}) {
  const { dyno, started } = await openStarting(handlers);
  let presses = 0;
  return {
    dyno,
    started,
    presses: () => presses,
    async press(element: HTMLElement) {
      presses++;
      await dyno.user.click(element);
    },
    async write(field: HTMLElement, text: string) {
      presses++;
      await fill(dyno, field, text);
    },
  };
}

const openDialog = (press: (element: HTMLElement) => Promise<void>) => openSqlDialog('Test my SQL', press);

test('own SQL on one’s own table runs after five presses', async () => {
  const { press, write, presses, started } = await counting();
  const dialog = await openDialog(press);
  expect(dialog.getByText('Choose a server.')).toBeVisible();
  await press(dialog.getByRole('checkbox', { name: /^PostgreSQL(?! \d)/ }));
  await write(
    dialog.getByRole('textbox', { name: 'SQL statements' }),
    'SELECT * FROM shop.orders WHERE customer_id = $1 AND ordered_at > $2',
  );
  expect(await dialog.findByText(':customer_id')).toBeVisible();
  await press(await readyRun(dialog));
  expect(presses()).toBeLessThanOrEqual(5);
  await expect.poll(() => started.length).toBe(1);
  expect(parseFile(started[0]!).experiment).toMatchObject({
    targets: ['embedded-postgres'],
    workload: { connections: 8 },
    statements: {
      'select-1': {
        text: 'SELECT * FROM shop.orders WHERE customer_id = :customer_id AND ordered_at > :ordered_at',
        parameters: {
          customer_id: { type: 'query', text: 'SELECT customer_id FROM shop.orders LIMIT 10000' },
          ordered_at: { type: 'query' },
        },
      },
    },
  });
});

const shop = `CREATE TABLE orders (
  id bigint PRIMARY KEY,
  customer_id bigint NOT NULL,
  status varchar(12) NOT NULL CHECK (status IN ('new', 'paid', 'sent')),
  total numeric(10,2) NOT NULL,
  note varchar(200),
  created_at timestamp NOT NULL
);
CREATE INDEX orders_by_customer ON orders (customer_id, created_at);
SELECT id, total FROM orders WHERE customer_id = ?;
UPDATE orders SET status = ? WHERE id = ?;`;

test('own table of six columns, an index, two statements 80/20, on three engines: twelve presses', async () => {
  const { press, write, presses, started } = await counting();
  const dialog = await openDialog(press);
  for (const name of [/^PostgreSQL(?! \d)/, /^MariaDB(?! \d)/, /^SQLite/])
    await press(dialog.getByRole('checkbox', { name }));
  await write(dialog.getByRole('textbox', { name: 'SQL statements' }), shop);
  expect(await dialog.findByText('orders (6 columns, 1 index)')).toBeVisible();
  await write(dialog.getByRole('textbox', { name: 'Weight of select-1' }), '80');
  await write(dialog.getByRole('textbox', { name: 'Weight of update-2' }), '20');
  await write(dialog.getByRole('textbox', { name: 'Users at once' }), '16');
  await write(dialog.getByRole('textbox', { name: 'Rows in each table' }), '50000');
  await press(await readyRun(dialog));
  expect(presses()).toBeLessThanOrEqual(12);
  await expect.poll(() => started.length).toBe(1);
  const { experiment, diagnostics } = parseFile(started[0]!);
  expect(diagnostics).toEqual([]);
  expect(experiment).toMatchObject({
    targets: ['embedded-postgres', 'local-mariadb', 'sqlite'],
    workload: { connections: 16 },
    tables: { orders: { rows: 50_000, key: 'id', indexes: [{ columns: ['customer_id', 'created_at'] }] } },
    statements: {
      'select-1': { weight: 80, text: 'SELECT id, total FROM {orders} WHERE customer_id = :customer_id' },
      'update-2': { weight: 20, parameters: { id: { type: 'key', table: 'orders' }, status: { type: 'oneOf' } } },
    },
  });
});

test('statements that the server has counted are picked, with parameters instead of values', async () => {
  const asked: unknown[] = [];
  const { press, dyno } = await counting({
    'statements:kept': async ({ target }) => {
      asked.push(target);
      const figures = { calls: 1_200, meanMs: 0.42, rowsPerCall: 1 };
      return { statements: [{ text: 'SELECT name FROM customers WHERE id = $1', ...figures }] };
    },
  });
  const dialog = await openDialog(press);
  await press(dialog.getByRole('checkbox', { name: /^PostgreSQL(?! \d)/ }));
  await press(dialog.getByRole('button', { name: 'Pick from the server…' }));
  expect(asked).toEqual([]);
  await press(dialog.getByRole('button', { name: 'Read from PostgreSQL' }));
  expect(await dialog.findByText(/1,200 calls, 420 µs each, 1(\.00)? rows a call/)).toBeVisible();
  await press(dialog.getByRole('checkbox', { name: 'SELECT name FROM customers WHERE id = $1' }));
  await press(dialog.getByRole('button', { name: 'Add 1 statement' }));
  expect(asked).toEqual(['embedded-postgres']);
  expect(await dialog.findByText(':id', {}, longEnough)).toBeVisible();
  expect(dialog.getByRole('textbox', { name: 'SQL statements' })).toHaveValue(
    'SELECT name FROM customers WHERE id = $1;',
  );
  await openedInBuilder(
    dyno,
    dialog.getByRole('button', { name: 'Open in the builder' }),
    'FROM customers WHERE id = :id',
  );
});

test('an engine whose statements Dyno does not read says why', async () => {
  const { press } = await counting();
  const dialog = await openDialog(press);
  await press(dialog.getByRole('checkbox', { name: /^SQLite/ }));
  await press(dialog.getByRole('button', { name: 'Pick from the server…' }));
  expect(dialog.getByText(/SQLite counts no statements/)).toBeVisible();
});

test('what differs from the script is said by its line, and a text without statements says so', async () => {
  const { press, write, dyno } = await counting();
  const dialog = await openDialog(press);
  await press(dialog.getByRole('checkbox', { name: /^SQLite/ }));
  const field = dialog.getByRole('textbox', { name: 'SQL statements' });
  await write(field, '-- nothing');
  expect(await dialog.findByText('The SQL has no statement.')).toBeVisible();
  await write(field, 'CREATE TABLE t (\n  id int PRIMARY KEY,\n  span interval\n);\nSELECT * FROM t WHERE id = :id');
  expect(await dialog.findByText(/^Line 3: the column span was left out/)).toBeVisible();
  await openedInBuilder(
    dyno,
    dialog.getByRole('button', { name: 'Open in the builder' }),
    'SELECT * FROM {t} WHERE id = :id',
  );
});

test('the weight of a statement that the SQL no longer has is left out', async () => {
  const { press, write, started } = await counting();
  const dialog = await openDialog(press);
  const field = dialog.getByRole('textbox', { name: 'SQL statements' });
  await press(dialog.getByRole('checkbox', { name: /^SQLite/ }));
  await write(field, `${shop}\nDELETE FROM orders WHERE id = ?;`);
  await write(await dialog.findByRole('textbox', { name: 'Weight of delete-3' }, longEnough), '5');
  await write(field, shop);
  await expect.poll(() => dialog.queryByRole('textbox', { name: 'Weight of delete-3' }), longEnough).toBeNull();
  await press(await readyRun(dialog));
  await expect.poll(() => started.length).toBe(1);
  expect(Object.keys(parseFile(started[0]!).experiment?.statements ?? {})).toEqual(['select-1', 'update-2']);
});

test('a number can be deleted and typed anew, and without it nothing runs', async () => {
  const { press, write, started, dyno } = await counting();
  const dialog = await openDialog(press);
  await press(dialog.getByRole('checkbox', { name: /^SQLite/ }));
  await write(dialog.getByRole('textbox', { name: 'SQL statements' }), shop);
  const users = dialog.getByRole('textbox', { name: 'Users at once' });
  await readyRun(dialog);
  await dyno.user.clear(users);
  expect(users).toHaveValue('');
  await expect.poll(() => dialog.getByRole('button', { name: 'Run' }).hasAttribute('disabled'), longEnough).toBe(true);
  await dyno.user.type(users, '16');
  await press(await readyRun(dialog));
  await expect.poll(() => started.length).toBe(1);
  expect(parseFile(started[0]!).experiment).toMatchObject({ workload: { connections: 16 } });
});

test('the SQL is still there when the dialog is opened again', async () => {
  const { press, write } = await counting();
  const dialog = await openDialog(press);
  await write(dialog.getByRole('textbox', { name: 'SQL statements' }), 'SELECT 1');
  await press(dialog.getByRole('button', { name: 'Cancel' }));
  const again = await openDialog(press);
  expect(again.getByRole('textbox', { name: 'SQL statements' })).toHaveValue('SELECT 1');
});

test('statements in a transaction of the script have no weight of their own', async () => {
  const { press, write } = await counting();
  const dialog = await openDialog(press);
  await press(dialog.getByRole('checkbox', { name: /^SQLite/ }));
  await write(
    dialog.getByRole('textbox', { name: 'SQL statements' }),
    `${shop.split('SELECT')[0]}BEGIN;\nUPDATE orders SET total = 1 WHERE id = :id;\nDELETE FROM orders WHERE id = :id;\nCOMMIT;`,
  );
  expect(await dialog.findByRole('rowheader', { name: /^update-/ }, longEnough)).toBeVisible();
  expect(dialog.queryByRole('textbox', { name: /^Weight of/ })).toBeNull();
});

async function openedInBuilder(dyno: TestWindow, button: HTMLElement, part: string): Promise<void> {
  await dyno.user.click(button);
  await region('Form');
  await expect.poll(() => dyno.text(), longEnough).toContain(part);
}

test('a file fills the field as a pasted text does: nothing runs, connects or asks before Run is pressed', async () => {
  const asked: string[] = [];
  const note = (channel: string) => {
    asked.push(channel);
    throw new Error('nobody has asked for this');
  };
  const { press, started, dyno } = await counting({
    'statements:try': async () => note('statements:try'),
    'statements:kept': async () => note('statements:kept'),
    'statements:tables': async () => note('statements:tables'),
    'connections:test': async () => note('connections:test'),
  });
  const dialog = await openDialog(press);
  await press(dialog.getByRole('checkbox', { name: /^PostgreSQL(?! \d)/ }));
  const input = dialog.getByLabelText('SQL file');
  const field = dialog.getByRole('textbox', { name: 'SQL statements' });
  const hostile = 'DROP TABLE shop.orders; -- \u202e\n\\! rm -rf /\nSELECT * FROM shop.orders WHERE id = $1;';
  await dyno.user.upload(input, new File([hostile], 'from-elsewhere.sql', { type: 'text/plain' }));
  await expect.poll(() => (field as HTMLTextAreaElement).value).toBe(hostile);
  await readyRun(dialog);
  expect([asked, started]).toEqual([[], []]);

  // The same file again, and files that are no scripts: the text stays, and the field says why.
  const refused = async (content: string, name: string, words: RegExp) => {
    await dyno.user.upload(input, new File([content], name, { type: 'text/plain' }));
    expect(await dialog.findByText(words)).toBeVisible();
    expect(field).toHaveValue(hostile);
  };
  await refused('SQLite format 3\0', 'app.sql', /“app.sql” is no text/);
  await refused(`SELECT ${'1'.repeat(1_000_000)}`, 'dump.sql', /“dump.sql” is too long.*1,000,000 characters/);
  await dyno.user.upload(input, new File(['SELECT 2'], 'app.sql', { type: 'text/plain' }));
  await expect.poll(() => (field as HTMLTextAreaElement).value).toBe('SELECT 2');
  expect(dialog.queryByText(/is too long/)).toBeNull();
  expect([asked, started]).toEqual([[], []]);
});
