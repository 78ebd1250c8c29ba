import { expect, test } from 'vitest';
import { keptCommand } from './kept-commands.ts';

const textOf = (verb: string, command: Readonly<Record<string, unknown>>) =>
  JSON.parse(keptCommand('orders', verb, command)?.text ?? 'null');

test('a profiled command keeps no value, and the members of sessions are left out', () => {
  const found = keptCommand('orders', 'find', {
    find: 'orders',
    filter: {
      customer: 7,
      state: { $in: ['Ann Canary', 'paid'] },
      'address.city': 'Canary',
      at: { $gte: new Date(0) },
    },
    sort: { at: -1 },
    projection: { total: 1, note: { $literal: 'Canary' } },
    limit: 10,
    lsid: { id: 'Canary' },
    $db: 'shop',
  });
  expect(found!.text).not.toContain('Canary');
  expect(JSON.parse(found!.text)).toEqual({
    find: 'orders',
    filter: {
      customer: { $param: 'customer' },
      state: { $in: [{ $param: 'state' }] },
      'address.city': { $param: 'city' },
      at: { $gte: { $param: 'at' } },
    },
    sort: { at: -1 },
    projection: { total: 1, note: { $literal: { $param: 'note' } } },
    limit: { $param: 'limit' },
  });
});

test('a shape of a query becomes the same command as the profiled one', () => {
  expect(
    textOf('find', {
      filter: { $and: [{ state: { $in: '?array<?string>' } }, { customer: { $gt: '?number' } }] },
      limit: '?number',
    }),
  ).toEqual({
    find: 'orders',
    filter: { $and: [{ state: { $in: [{ $param: 'state' }] } }, { customer: { $gt: { $param: 'customer' } } }] },
    limit: { $param: 'limit' },
  });
  expect(
    textOf('aggregate', {
      pipeline: [
        { $match: { at: { $gte: '?date', $lt: '?date' } } },
        { $group: { _id: '$state', n: { $sum: '?number' }, sum: { $sum: '$total' } } },
      ],
    }),
  ).toEqual({
    aggregate: 'orders',
    pipeline: [
      { $match: { at: { $gte: { $param: 'at' }, $lt: { $param: 'at_2' } } } },
      { $group: { _id: '$state', n: { $sum: 1 }, sum: { $sum: '$total' } } },
    ],
    cursor: {},
  });
});

test('names of collections and fields stay in a join, and values of its conditions do not', () => {
  const lookup = { from: 'customers', localField: 'customer', foreignField: '_id', as: 'who' };
  expect(textOf('aggregate', { pipeline: [{ $lookup: lookup }, { $sort: { at: -1 } }] }).pipeline).toEqual([
    { $lookup: lookup },
    { $sort: { at: -1 } },
  ]);
  const within = [{ $lookup: { from: 'customers', as: 'who', pipeline: [{ $match: { name: 'Canary' } }] } }];
  expect(JSON.stringify(textOf('aggregate', { pipeline: within }))).not.toContain('Canary');
});

test('changes keep their form, and of several documents the first', () => {
  expect(
    textOf('update', { updates: [{ q: { _id: 1 }, u: { $set: { state: 'paid' } }, multi: false, upsert: false }] }),
  ).toEqual({
    update: 'orders',
    updates: [
      { q: { _id: { $param: 'id' } }, u: { $set: { state: { $param: 'state' } } }, multi: false, upsert: false },
    ],
  });
  expect(textOf('delete', { deletes: [{ q: { _id: 1 }, limit: 1 }] })).toEqual({
    delete: 'orders',
    deletes: [{ q: { _id: { $param: 'id' } }, limit: 1 }],
  });
  expect(
    textOf('insert', {
      documents: [
        { _id: 1, name: 'Ann' },
        { _id: 2, name: 'Bob' },
      ],
    }),
  ).toEqual({
    insert: 'orders',
    documents: [{ _id: { $param: 'id' }, name: { $param: 'name' } }],
  });
  expect(textOf('hello', { hello: 1 })).toBeNull();
  expect(textOf('insert', { insert: 'orders', ordered: true })).toBeNull();
  expect(textOf('find', { $truncated: '{ find: …' })).toBeNull();
});
