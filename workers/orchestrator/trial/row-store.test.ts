import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { experimentSchema } from '#experiment/schema/experiment.ts';
import type { FilledDataset } from '#model/dataset/dataset.ts';
import { ensureHome, homeOf } from '#platform/paths.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import type { ControlRequest } from '#protocol/messages.ts';
import { storeRows } from '#runner/rows/store-rows.ts';
import { findRowFiles } from '#workspace/library/list-files.ts';
import type { Control } from '../worker/control.ts';
import { openRowStore } from './row-store.ts';

const experimentOf = (from: object, rows = 2) =>
  v.parse(experimentSchema, {
    ...{ dyno: 1, name: 'x', question: 'x?', targets: ['noop'], workload: {} },
    tables: { sales: { from, rows, key: 'id', columns: { id: { type: 'file', as: 'integer' } } } },
    dataset: { rows: 1, columns: {} },
  });

function place() {
  const folder = temporaryFolder();
  const home = homeOf({ DYNO_HOME: join(folder, 'home') });
  ensureHome(home);
  writeFileSync(join(folder, 'sales.csv'), 'id\n1\n2\n3\n');
  const asked: ControlRequest[] = [];
  const signal = new AbortController().signal;
  // Only this request reaches the control process here.
  const control = {
    ask: (request: ControlRequest) => {
      asked.push(request);
      return request.call === 'storeRows' ? storeRows(request.store, () => {}, signal) : null;
    },
  } as unknown as Control;
  return { folder, home, control, asked, signal };
}

test('the rows of a file are stored once for all trials, and deleted at the end', async () => {
  const { folder, home, control, asked, signal } = place();
  const experiment = experimentOf({ file: 'sales.csv' });
  const files = await findRowFiles(folder, [experiment]);
  const store = openRowStore(home, '0123abcd', { folder, files });
  const first = await store.prepared(control, experiment, 0, signal);
  const second = await store.prepared(control, experiment, 0, signal);
  const table = first.tables!.sales as FilledDataset;
  expect(asked).toHaveLength(1);
  expect(second.tables!.sales).toEqual(table);
  expect(existsSync(table.stored!)).toBe(true);
  store[Symbol.dispose]();
  expect(readdirSync(home.state)).toEqual([]);
});

test('rows that a killed run has left are deleted by the next run, also by one without a file', () => {
  const { folder, home } = place();
  mkdirSync(join(home.state, 'rows-deadbeef'));
  writeFileSync(join(home.state, 'rows-deadbeef', '1.rows'), 'x');
  using _ = openRowStore(home, '0123abcd', { folder, files: [] });
  expect(readdirSync(home.state)).toEqual([]);
});

test('a file that is stored anew after a cancelled trial has a name of its own', async () => {
  const { folder, home, control, asked, signal } = place();
  const [small, large] = [experimentOf({ file: 'sales.csv' }, 1), experimentOf({ file: 'sales.csv' }, 2)];
  const cancelled = new AbortController();
  const ended = Promise.withResolvers<null>();
  const fails = { ask: () => ended.promise } as unknown as Control;
  using store = openRowStore(home, '0123abcd', { folder, files: await findRowFiles(folder, [small]) });
  const lost = store.prepared(fails, small, 0, cancelled.signal);
  const kept = await store.prepared(control, large, 0, signal);
  cancelled.abort();
  ended.reject(new Error('cancelled'));
  await expect(lost).rejects.toThrowError('cancelled');
  await store.prepared(control, small, 0, signal);
  expect(new Set(asked.map((one) => one.call === 'storeRows' && one.store.to)).size).toBe(2);
  expect(existsSync((kept.tables!.sales as FilledDataset).stored!)).toBe(true);
});

test('a file with the key must have as many rows as the table', async () => {
  const { folder, home, control, signal } = place();
  const experiment = experimentOf({ file: 'sales.csv' }, 4);
  using store = openRowStore(home, '0123abcd', { folder, files: await findRowFiles(folder, [experiment]) });
  await expect(store.prepared(control, experiment, 0, signal)).rejects.toThrowError('sales.csv has 3 rows');
});

test('a table reads no file outside of the folder of its experiment, also not through a link', async () => {
  const { folder, home } = place();
  const inner = join(folder, 'inner');
  mkdirSync(inner);
  symlinkSync(join(folder, 'sales.csv'), join(inner, 'link.csv'));
  for (const file of ['../sales.csv', join(folder, 'sales.csv'), 'link.csv'])
    await expect(findRowFiles(inner, [experimentOf({ file })])).rejects.toThrowError(
      /not in the experiment's own folder/,
    );
  expect(readdirSync(home.state)).toEqual([]);
});
