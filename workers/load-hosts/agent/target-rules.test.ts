import { expect, test } from 'vitest';
import { findEngine } from '#engines/catalog.ts';
import { targetRules } from './target-rules.ts';

const postgres = (host: string) => findEngine('postgres')!.config.parse({ host, database: 'd', user: 'u' });

test('an agent drives load against the servers that its patterns name, and no other', () => {
  const rules = targetRules(['*.test.example.com:5432', '10.0.0.7:*']);
  for (const host of ['a.test.example.com', '10.0.0.7']) rules.check('postgres', postgres(host));
  for (const host of ['test.example.com', 'a.test.example.com.evil.org', '10.0.0.70', 'x10x0x0x7'])
    expect(() => rules.check('postgres', postgres(host))).toThrow('drives no load against');
});

test('it opens no file of its own machine, and no engine that it has not', () => {
  const rules = targetRules([]);
  rules.check('noop', {});
  rules.check('postgres', postgres('anywhere'));
  expect(() => rules.check('sqlite', { path: '/etc' })).toThrow('makes no files');
  expect(() => rules.check('nothing', {})).toThrow('has no engine');
  expect(() => targetRules(['a:1']).check('postgres', {})).toThrow();
});
