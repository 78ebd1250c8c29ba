import { describe, expect, test } from 'vitest';
import { mayWriteText, readsOnly } from '#model/statements/reads-only.ts';
import { catalog, findEngine } from './catalog.ts';
import { hostileTexts } from './hostile-texts.fixture.ts';

const languageOf = (engine: string) => findEngine(engine)!.descriptor.statements!;

describe.each(Object.entries(hostileTexts))('%s', (engine, { writes, reads }) => {
  test('whatever may write counts as a write, with its reason', () => {
    const passed = writes.filter((text) => readsOnly(text, languageOf(engine)));
    expect(passed).toEqual([]);
    expect(writes.length).toBeGreaterThan(50);
    for (const text of writes) expect(mayWriteText(text, languageOf(engine))).toMatch(/^[A-Z].*\.$/s);
  });
  test('ordinary texts that read are taken', () => {
    const refused = reads.flatMap((text) => {
      const why = mayWriteText(text, languageOf(engine));
      return why === null ? [] : [`${text}: ${why}`];
    });
    expect(refused).toEqual([]);
  });
});

test('every engine with statements in SQL has its own list', () => {
  const without = catalog.filter(
    ({ descriptor: { statements, reference } }) => statements?.language === 'sql' && !statements.reads && !reference,
  );
  expect(without.map(({ descriptor }) => descriptor.id)).toEqual([]);
});

test('a text of many queries within each other has an answer', () => {
  const deep = `${'WITH a AS ('.repeat(9_000)}SELECT 1${')'.repeat(9_000)}`;
  expect(mayWriteText(deep, languageOf('postgres'))).toMatch(/too many queries/);
});
