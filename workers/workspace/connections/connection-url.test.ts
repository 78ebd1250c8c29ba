import { expect, test } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { DynoError } from '#model/error.ts';
import { looksLikeUrl, readConnectionUrl } from './connection-url.ts';

const canary = 'c4nary-s3cret';

function wordsOf(url: string, engine: string | null = null): string {
  try {
    return JSON.stringify(readConnectionUrl(url, engine));
  } catch (thrown) {
    if (thrown instanceof DynoError) return `${thrown.message} ${thrown.data.hint}`;
    throw thrown;
  }
}

test('a URL becomes fields, without those that only say the default', () => {
  expect(readConnectionUrl(`postgres://bench:${canary}@db:5432/bench?sslmode=require`, null)).toEqual({
    engine: 'postgres',
    values: { host: 'db', user: 'bench', database: 'bench', ssl: 'require' },
    passwords: { password: canary },
  });
  expect(readConnectionUrl('postgres:///d?host=/run/pg', null).values).toEqual({ host: '/run/pg', database: 'd' });
});

test('an engine that makes one text of its address is shown by its single fields all the same', () => {
  const read = readConnectionUrl(`oracle://bench:${canary}@db:1522/sales`, null);
  expect(read).toEqual({
    engine: 'oracle',
    values: { host: 'db', port: 1_522, serviceName: 'sales', user: 'bench' },
    passwords: { password: canary },
  });
  expect(readConnectionUrl('oracle://bench@db?sid=OLD', null).values).toEqual({
    host: 'db',
    sid: 'OLD',
    user: 'bench',
  });
});

test('a password by reference stays one', () => {
  expect(readConnectionUrl(`postgres://u:\${env:PW}@h/d`, null)).toMatchObject({
    values: { password: `\${env:PW}` },
    passwords: {},
  });
});

test('the example of every engine can be read back, and makes the same configuration', () => {
  const examples = catalog.flatMap((entry) => {
    const placeholder = entry.descriptor.config.find(({ name }) => name === 'url')?.placeholder;
    return placeholder ? [{ entry, placeholder, url: placeholder.replace('@', `:${canary}@`) }] : [];
  });
  expect(examples.length).toBeGreaterThan(0);
  for (const { entry, placeholder, url } of examples) {
    const { engine, values, passwords } = readConnectionUrl(url, null);
    expect(engine).toBe(entry.descriptor.id);
    expect(JSON.stringify(values)).not.toContain(canary);
    // RavenDB's users are certificates: its URL has no place for a password.
    expect(Object.values(passwords)).toEqual(placeholder.includes('@') ? [canary] : []);
    expect(entry.config.parse({ ...values, ...passwords })).toEqual(entry.config.parse({ url }));
  }
});

test('where the fields cannot say the same, the URL stays, without its password', () => {
  const [postgres] = catalog;
  const config = {
    ...postgres!.config,
    // An engine whose URL says more than its fields.
    parse: (raw: Readonly<Record<string, unknown>>) => {
      const url = typeof raw.url === 'string' ? raw.url : null;
      return {
        ...postgres!.config.parse(url === null ? raw : { ...raw, url: url.replace('?more=1', '') }),
        more: url?.includes('more') ?? false,
      };
    },
  };
  const read = readConnectionUrl(`postgres://u:${canary}@h/d?more=1`, null, [{ ...postgres!, config }]);
  expect(read).toEqual({
    engine: 'postgres',
    values: { url: 'postgres://u@h/d?more=1' },
    passwords: { password: canary },
  });
});

test('errors are the engine’s own, name what is known, and repeat nothing secret', () => {
  expect(wordsOf(`postgres://u:${canary}@h:port/d`)).toMatch(/PostgreSQL URL/);
  expect(wordsOf(`cobol://u:${canary}@h/d`)).toMatch(/postgres:\/\//);
  expect(wordsOf(`postgres://u:${canary}@h/d`, 'sqlite')).toMatch(/No engine/);
  for (const url of [`postgres://u:${canary}@h:port/d`, `cobol://u:${canary}@h/d`, `postgres://u:${canary}%zz@h/d`])
    expect(wordsOf(url)).not.toContain(canary);
});

test('a word is taken for a URL by its scheme', () => {
  expect(['postgres://h', 'mongodb+srv://h', 'jdbc:x://h'].map(looksLikeUrl)).toEqual([true, true, true]);
  expect(['staging', 'a:b', 'C:\\x'].map(looksLikeUrl)).toEqual([false, false, false]);
});

test('https is RavenDB, with or without the certificate that it asks for', () => {
  expect(wordsOf('https://a.example/bench')).toContain('certificate is missing: a RavenDB server');
  const url = 'https://a.example/bench?certificate=/keys/bench.pfx';
  expect(readConnectionUrl(url, null)).toEqual({ engine: 'ravendb', values: { url }, passwords: {} });
});
