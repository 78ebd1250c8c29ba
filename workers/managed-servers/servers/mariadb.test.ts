import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import { test as anyTest, expect } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { findProgram } from '../install/tools.ts';
import { publicFolder } from '../process/account.ts';
import { mariadb } from './mariadb.ts';

const test = anyTest.skipIf(isSkipped('mysql'));
let folder: string;

beforeTests((opened) => {
  folder = temporaryFolder(opened);
  opened.defer(() => rmSync(publicFolder(folder), { recursive: true, force: true, maxRetries: 5 }));
});

test('is there, or says how to install it', async () => {
  const missing = await mariadb.missing();
  if (missing) expect(missing.fix).toMatch(/apt|brew|winget/);
  else expect(missing).toBeNull();
});

test('starts with the product’s defaults and a fresh password each time, keeps its data, and stops', async () => {
  const passwords = new Set<unknown>();
  for (const round of [1, 2]) {
    const said: string[] = [];
    const server = await mariadb.start(folder, (text) => said.push(text));
    expect(said.some((text) => text.startsWith('Creating'))).toBe(round === 1);
    passwords.add(server.raw.password);
    const client = await mysql.createConnection({ ...server.admin });
    try {
      const [[settings]] = await client.query<mysql.RowDataPacket[]>(
        'SELECT @@bind_address AS address, @@innodb_flush_log_at_trx_commit AS log, @@local_infile AS files, @@innodb_doublewrite AS doublewrite',
      );
      expect(settings).toMatchObject({ address: '127.0.0.1', log: 1, files: 1 });
      if (round === 1) await client.query('CREATE DATABASE kept');
      const [found] = await client.query<mysql.RowDataPacket[]>("SHOW DATABASES LIKE 'kept'");
      expect(found).toHaveLength(1);
      const [accounts] = await client.query<mysql.RowDataPacket[]>(
        "SELECT user FROM mysql.user WHERE user NOT IN ('dyno', 'root') AND user NOT LIKE 'mysql.%' AND user NOT LIKE 'mariadb.%'",
      );
      expect(accounts, 'nobody else has an account').toEqual([]);
    } finally {
      await client.end();
      await server.stop();
    }
    await server.gone;
  }
  expect(passwords.size).toBe(2);
}, 60_000);

test('the password is in no argument, log or file, and root needs one, too', async () => {
  await using server = await mariadb.start(folder, () => {});
  const password = String(server.raw.password);
  const shown = execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(server.pid)], { encoding: 'utf8' });
  expect(shown).toContain('--datadir');
  expect(shown).not.toContain(password);
  expect(existsSync(join(server.dataFolder, 'dyno-login.sql'))).toBe(false);
  const log = join(server.dataFolder, '..', 'server.log');
  expect(readFileSync(log, 'utf8')).not.toContain(password);
  for (const name of readdirSync(server.dataFolder).filter((one) => /\.(err|log|sql|cnf)$/.test(one)))
    expect(readFileSync(join(server.dataFolder, name), 'utf8'), name).not.toContain(password);
  for (const user of ['root', 'dyno', 'mysql', '']) {
    const attempt = mysql.createConnection({ host: '127.0.0.1', port: server.port, user });
    expect(await attempt.then(() => 'let in', String), user).toMatch(/denied/);
  }
  const client = mariadb.client!(server.raw, '$SECRET');
  expect(client).toContain('MYSQL_PWD="$SECRET"');
  expect(client).not.toContain(password);
  if (findProgram(['mariadb', 'mysql']) === null) return; // A server can be installed without a client.
  const env = { ...process.env, SECRET: password };
  expect(execFileSync('sh', ['-c', `${client} -e 'SELECT 7 * 6'`], { encoding: 'utf8', env })).toContain('42');
}, 60_000);
