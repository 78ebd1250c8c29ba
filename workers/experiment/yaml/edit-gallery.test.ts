import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isCollection, isMap, isNode } from 'yaml';
import { isMapping } from '#model/is-mapping.ts';
import type { Path } from '#model/text/path-text.ts';
import { thirdOf } from '#platform/whole.fixture.ts';
import { setIn } from './edit-experiment.ts';
import { readYaml, type YamlSource } from './yaml-source.ts';

const folder = new URL('../../../experiments/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.dyno.yaml'));

type Edit = readonly [path: Path, value: unknown];

const namesOf = (file: Readonly<Record<string, unknown>>, key: string): readonly string[] =>
  Object.keys(isMapping(file[key]) ? file[key] : {});

/** Changes as the form makes them, of parts that the file has. */
function editsOf(file: Readonly<Record<string, unknown>>): readonly Edit[] {
  const [statement] = namesOf(file, 'statements');
  const [table] = namesOf(file, 'tables');
  return [
    [['workload', 'arrivalsPerSecond'], 100],
    [
      ['factors', 'thinkMs'],
      [1, 10],
    ],
    [['measure', 'seed'], 17],
    [['targets', (file.targets as readonly unknown[]).length], 'another'],
    [['baseline', 'target'], 'another'],
    ...(file.dataset === undefined
      ? []
      : ([
          [['dataset', 'columns', 'another'], { type: 'text', length: 20 }],
          [['dataset', 'seed'], 23],
        ] as const)),
    ...(statement === undefined
      ? []
      : ([
          [['statements', statement, 'weight'], 7],
          [['statements', 'another'], { text: 'SELECT 1' }],
          [['statements', statement, 'text'], 'SELECT id\nFROM {table}\nWHERE id = :id'],
        ] as const)),
    ...(table === undefined ? [] : ([[['tables', table, 'rows'], 77]] as const)),
  ];
}

const comments = (text: string): readonly string[] => text.match(/(?<=^|\s)#.*$/gm) ?? [];

/** The lines of `text` that `other` does not have. */
const linesWithout = (text: string, other: string): readonly string[] => {
  const known = new Set(other.split('\n'));
  return text.split('\n').filter((line) => !known.has(line));
};

/** The lines of a file's entry: its key and its value. Empty if the file has no entry at the path. */
function entryText({ text, document }: YamlSource, path: Path): string {
  const around = document.getIn(path.slice(0, -1), true) ?? document.contents;
  const key = isMap(around) ? around.items.find((pair) => String(pair.key) === String(path.at(-1)))?.key : undefined;
  const value = document.getIn(path, true);
  if (!isNode(key) || !isNode(value) || !key.range || !value.range) return '';
  return text.slice(text.lastIndexOf('\n', key.range[0]) + 1, value.range[2]);
}

describe('an edit of an experiment of the gallery', () => {
  it.each(thirdOf(files))('%s changes no other line, and its removal gives the file back', (name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const before = readYaml(text);
    const file = before.value as Readonly<Record<string, unknown>>;
    for (const [path, value] of editsOf(file)) {
      const after = setIn(before, path, value);
      const place = `${name} ${path.join('.')}`;
      expect(readYaml(after.text).document.getIn(path, true)?.toString(), place).toBeDefined();
      // A value in a list or mapping on one line changes this line.
      const around = before.document.getIn(path.slice(0, -1), true);
      const changed = linesWithout(text, after.text);
      if (isCollection(around) && around.flow) expect(changed.length, place).toBeLessThanOrEqual(1);
      else expect(linesWithout(changed.join('\n'), `${entryText(before, path)}\n`), place).toEqual([]);
      expect(comments(after.text).length, place).toBe(comments(text).length);
      expect(/\n\n\n/.test(after.text), place).toBe(/\n\n\n/.test(text));
      expect(linesWithout(after.text, text).join('\n'), place).not.toMatch(/\\n|"SELECT|\{ text:/);
      if (before.document.hasIn(path)) continue;
      const added = before.document.hasIn(path.slice(0, -1)) ? path : path.slice(0, 1);
      expect(setIn(after, added, undefined).text, place).toBe(text);
    }
  });
});
