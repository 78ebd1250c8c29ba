import { expect, test } from 'vitest';
import { namedWord } from '#engine-api/connection-strings/looks.ts';
import { holdsPlainSecret } from '#engine-api/connection-strings/plain-secrets.ts';
import { catalog } from '#engines/catalog.ts';
import { DynoError } from '#model/error.ts';
import { readConnectionUrl } from './connection-url.ts';

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
    notes: [],
    readOnly: false,
  });
  expect(readConnectionUrl('postgres:///d?host=/run/pg', null).values).toEqual({ host: '/run/pg', database: 'd' });
});

test('an engine that makes one text of its address is shown by its single fields all the same', () => {
  const read = readConnectionUrl(`oracle://bench:${canary}@db:1522/sales`, null);
  expect(read).toEqual({
    engine: 'oracle',
    values: { host: 'db', port: 1_522, serviceName: 'sales', user: 'bench' },
    passwords: { password: canary },
    notes: [],
    readOnly: false,
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
    // RavenDB's users are certificates, so its URL has no place for a password.
    expect(Object.values(passwords)).toEqual(placeholder.includes('@') ? [canary] : []);
    expect(entry.config.parse({ ...values, ...passwords })).toEqual(entry.config.parse({ url }));
  }
});

test('errors are the engine’s own, name what is known, and repeat nothing secret', () => {
  expect(wordsOf(`postgres://u:${canary}@h:port/d`)).toMatch(/PostgreSQL URL/);
  expect(wordsOf(`jdbc:sqlite:/home/me/x.db`)).toMatch(/SQLite names a file/);
  expect(wordsOf(`cobol://u:${canary}@h/d`)).toMatch(/postgres:\/\//);
  expect(wordsOf(`postgres://u:${canary}@h/d`, 'mysql')).toMatch(/no URL or connection string of MySQL/);
  for (const url of [`postgres://u:${canary}@h:port/d`, `cobol://u:${canary}@h/d`, `postgres://u:${canary}%zz%20@h/d`])
    expect(wordsOf(url)).not.toContain(canary);
});

test('https is RavenDB, with or without the certificate that it asks for', () => {
  expect(readConnectionUrl('https://a.example/bench', null)).toMatchObject({
    engine: 'ravendb',
    values: { url: 'https://a.example', database: 'bench' },
  });
  const url = 'https://a.example/bench?certificate=/keys/bench.pfx';
  expect(readConnectionUrl(url, null)).toMatchObject({ engine: 'ravendb', values: { certificate: '/keys/bench.pfx' } });
});

test('a password in any kind of connection string is a plain secret, and a variable is none', () => {
  const strings = (password: string) => [
    `postgres://u:${password}@h/d`,
    `jdbc:postgresql://h/d?user=u&password=${password}`,
    `jdbc:sqlserver://h;user=sa;password=${password}`,
    `Server=h;User Id=u;Pwd=${password};Encrypt=True`,
    `host=h user=u password=${password}`,
    `u:${password}@tcp(h:3306)/d`,
    `jdbc:oracle:thin:u/${password}@//h:1521/s`,
    `u/${password}@h:1521/s`,
    `mssql+pyodbc:///?odbc_connect=Driver%3Dx%3BPwd%3D${encodeURIComponent(password)}`,
  ];
  for (const text of strings('c4nary')) expect(holdsPlainSecret(text, 'url'), text).toBe(true);
  for (const text of strings(`\${env:PW}`)) expect(holdsPlainSecret(text, 'url'), text).toBe(false);
  for (const text of ['postgres://u@h/d', 'Server=h;Integrated Security=True', 'u@tcp(h)/d', '//h:1521/s'])
    expect(holdsPlainSecret(text, 'url'), text).toBe(false);
});

test('a word that may hold a password is in no message', () => {
  for (const word of ['postgres:c4nary@h', 'Server=h;Pwd=c4nary', 'u:c4nary@tcp(h)/d', 'jdbc:x:c4nary', 'a=c4nary'])
    expect(namedWord(word)).not.toContain('c4nary');
  expect(namedWord('staging')).toBe('“staging”');
});
