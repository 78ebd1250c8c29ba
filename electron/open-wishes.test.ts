import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { parseOpenLink } from './open-link.ts';
import { kindOfFile, wishesOf } from './open-wishes.ts';

const here = resolve('/work/folder');

test('files that Dyno opens are found among the arguments, relative to the folder of the start', () => {
  const other = resolve('/data/run 1.dyno-run');
  const args = [
    '/opt/dyno/dyno',
    '/opt/dyno',
    '--no-sandbox',
    '--file=/x.sql',
    'a.dyno.yaml',
    pathToFileURL(other).href,
  ];
  expect(wishesOf(args, here)).toEqual([{ file: resolve(here, 'a.dyno.yaml') }, { file: other }]);
});

test.each(['notes.txt', 'a.yaml\0.sql', '-a.sql', 'file://elsewhere%2f/a.sql', 'file://%zz', ''])(
  'the argument %j opens nothing',
  (argument) => {
    expect(wishesOf([argument], here)).toEqual([]);
  },
);

test('no start opens any number of files', () => {
  expect(wishesOf(Array(500).fill('a.sql'), here)).toHaveLength(20);
});

test('the name determines the kind of a file', () => {
  expect(['A.DYNO.YAML', 'a.yml', 'b.dyno-run', 'c.SQL', 'd.csv', 'e.exe', 'dyno-run'].map(kindOfFile)).toEqual([
    'experiment',
    'experiment',
    'run',
    'sql',
    'csv',
    null,
    null,
  ]);
});

test('a link names an experiment or a run by its id', () => {
  expect(parseOpenLink('dyno://open?gallery=insert-duel')).toEqual({ experiment: 'gallery:insert-duel' });
  // Some systems add the slash.
  expect(parseOpenLink('dyno://open/?experiment=my-file_2')).toEqual({ experiment: 'mine:my-file_2' });
  expect(parseOpenLink('dyno://open?run=20261123-101112-0a1b2c3d')).toEqual({ run: '20261123-101112-0a1b2c3d' });
});

test.each([
  'dyno://run?gallery=insert-duel',
  'dyno://open',
  'dyno://open?',
  'dyno://open?file=/etc/passwd',
  'dyno://open?experiment=../../etc/passwd',
  'dyno://open?experiment=..%2f..%2fetc%2fpasswd',
  'dyno://open?experiment=C:\\x',
  'dyno://open?gallery=insert-duel&run=1',
  'dyno://open?gallery=insert-duel&start=true',
  'dyno://open?gallery=insert-duel#run',
  'dyno://open/x?gallery=insert-duel',
  'dyno://user@open?gallery=insert-duel',
  'dyno://open:80?gallery=insert-duel',
  'dyno://open?run=insert-duel',
  'dyno:open?gallery=insert-duel',
  'https://open?gallery=insert-duel',
  `dyno://open?gallery=${'a'.repeat(400)}`,
  'dyno://open?gallery=a\ngallery=b',
  'dyno://open?gallery=',
])('the link %j opens nothing', (link) => {
  expect(parseOpenLink(link)).toBeNull();
});
