import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Tunnelled } from '#model/tunnel.ts';
import { asWritten, isSamePlace, type KnownNames, placesOf, plainHost } from './server-places.ts';

type Values = Readonly<Record<string, unknown>>;

const written = (engine: string, values: Values, tunnel: Tunnelled = {}, known: KnownNames = asWritten) => {
  const places = placesOf({ engine, values, ...tunnel }, known);
  if (!places) throw new Error(`cannot read ${JSON.stringify(values)}`);
  return places;
};
const postgres = (values: Values, tunnel?: Tunnelled, known?: KnownNames) =>
  written('postgres', { user: 'app', ...values }, tunnel, known);

describe('the place of a server', () => {
  const ofThisMachine = [
    ...['localhost', 'LOCALHOST', 'localhost.', 'db.localhost', '127.0.0.1', '127.1', '127.0.0.2', '0x7f000001'],
    ...['0177.0.0.1', '2130706433', '::1', '[::1]', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::FFFF:7f00:1'],
    ...['0.0.0.0', '127.0.0.1.', ' localhost ', hostname()],
  ];
  it.each(ofThisMachine)('is this machine as %s', (host) => {
    expect(plainHost(host)).toBe('this machine');
    expect(isSamePlace(postgres({ host: '127.0.0.1', port: 5432 }), postgres({ host: host.trim() }))).toBe(true);
  });

  it.each([
    ['DB1.Example.', 'db1.example'],
    ['10.0.0.8', '0xa000008'],
    ['10.0.0.8', '012.0.0.010'],
    ['10.0.0.8', '::ffff:10.0.0.8'],
    ['10.0.0.8', '::ffff:a00:8'],
    ['10.0.0.8', '10.8'],
    ['2001:db8::8', '2001:0DB8:0:0:0:0:0:8'],
    ['fe80::8%eth0', 'fe80::8'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['db1.example', 'ＤＢ1.example'],
  ])('is the same for %s and %s', (one, other) => {
    expect(plainHost(one)).toBe(plainHost(other));
  });

  it.each([
    ['db1.example', 'db2.example'],
    ['10.0.0.8', '10.0.0.9'],
    ['db1.example', 'db1.example.net'],
    ['localhost', 'localhost.example'],
  ])('differs for %s and %s', (one, other) => {
    expect(plainHost(one)).not.toBe(plainHost(other));
  });

  it('has the usual port where none is written, by fields and by a URL', () => {
    const live = postgres({ host: 'db1.example', port: 5432 });
    for (const values of [
      { host: 'db1.example' },
      { url: 'postgres://app@db1.example/shop' },
      { url: 'postgresql://app@DB1.example:5432/shop' },
      { url: 'jdbc:postgresql://db1.example/shop?user=app' },
      { url: 'host=db1.example user=app dbname=shop' },
    ])
      expect(isSamePlace(live, written('postgres', values)), JSON.stringify(values)).toBe(true);
    expect(isSamePlace(live, postgres({ host: 'db1.example', port: 5433 }))).toBe(false);
  });

  it('is found in variables', () => {
    const known = { ...asWritten, variables: { WHERE: 'db1.example' } };
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as files write it
    const hidden = { host: '${env:WHERE}' };
    expect(isSamePlace(postgres({ host: 'db1.example' }), postgres(hidden, {}, known))).toBe(true);
    expect(isSamePlace(postgres({ host: 'db1.example' }), postgres(hidden))).toBe(false);
  });

  it('has the socket and the port of a server on this machine', () => {
    const folder = mkdtempSync(join(tmpdir(), 'places-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const socket = postgres({ host: folder, port: 6543 });
    expect(isSamePlace(socket, postgres({ host: 'localhost', port: 6543 }))).toBe(true);
    expect(isSamePlace(socket, postgres({ host: 'localhost', port: 6544 }))).toBe(false);
    expect(isSamePlace(socket, postgres({ host: 'db1.example', port: 6543 }))).toBe(false);
    // This is a socket by another path, whose name has no port.
    const file = join(folder, 'mysqld.sock');
    writeFileSync(file, '');
    const link = join(folder, 'link.sock');
    symlinkSync(file, link);
    const mysql = (host: string) => written('mysql', { host, user: 'app' });
    expect(isSamePlace(mysql(file), mysql(link))).toBe(true);
    expect(isSamePlace(mysql(file), mysql('localhost'))).toBe(true);
  });

  it('is every member of a replica set, and what DNS lists of it', () => {
    const set = written('mongodb', { host: 'a.example,b.example:27018,c.example' });
    expect(isSamePlace(set, written('mongodb', { host: 'b.example', port: 27018 }))).toBe(true);
    expect(isSamePlace(set, written('mongodb', { url: 'mongodb://x.example,C.example/shop' }))).toBe(true);
    expect(isSamePlace(set, written('mongodb', { host: 'b.example' }))).toBe(false);
    const addresses = new Map([['_mongodb._tcp.cluster.example', ['a.example:27017', 'z.example:27017']]]);
    const listed = written('mongodb', { url: 'mongodb+srv://cluster.example' }, {}, { ...asWritten, addresses });
    expect(isSamePlace(set, listed)).toBe(true);
    expect(isSamePlace(set, written('mongodb', { url: 'mongodb+srv://cluster.example' }))).toBe(false);
    expect(isSamePlace(listed, written('mongodb', { url: 'mongodb+srv://Cluster.example' }))).toBe(true);
  });

  it('is what the names of its host have for addresses', () => {
    const addresses = new Map([
      ['db1.example', ['10.0.0.8']],
      ['primary.shop.example', ['::ffff:a00:8', 'fe80::1']],
    ]);
    const known = { ...asWritten, addresses };
    const at = (host: string) => postgres({ host }, {}, known);
    expect(isSamePlace(at('db1.example'), at('10.0.0.8'))).toBe(true);
    expect(isSamePlace(at('db1.example'), at('primary.shop.example'))).toBe(true);
    expect(isSamePlace(at('db1.example'), at('10.0.0.9'))).toBe(false);
  });

  it('is seen from where its tunnel ends', () => {
    const ssh = (host: string) => ({ ssh: { host, jump: 'jump.example' } });
    const live = postgres({ host: 'db1.example' });
    expect(isSamePlace(live, postgres({ host: 'db1.example' }, ssh('bastion.example')))).toBe(true);
    expect(isSamePlace(live, postgres({ host: 'db1.example' }, { socks: { host: 'proxy.example' } }))).toBe(true);
    expect(isSamePlace(live, postgres({ host: 'localhost' }, ssh('DB1.example')))).toBe(true);
    const behind = postgres({ host: '10.0.0.8' }, ssh('bastion.example'));
    expect(isSamePlace(behind, postgres({ host: '10.0.0.8' }, ssh('bastion.example')))).toBe(true);
    // Private addresses belong to other machines in other networks, and this machine is not the end of the tunnel.
    expect(isSamePlace(behind, postgres({ host: '10.0.0.8' }, ssh('other.example')))).toBe(false);
    expect(isSamePlace(postgres({ host: 'localhost' }), postgres({ host: 'localhost' }, ssh('db2.example')))).toBe(
      false,
    );
  });

  it('is a named instance as well as its ports', () => {
    const mssql = (values: Values) => written('sqlserver', { user: 'app', ...values });
    const named = mssql({ url: 'sqlserver://db1.example;instanceName=LIVE;user=app' });
    expect(isSamePlace(named, mssql({ host: 'DB1.example', port: 50_123 }))).toBe(true);
    expect(isSamePlace(named, mssql({ host: 'db2.example' }))).toBe(false);
    expect(isSamePlace(named, postgres({ host: 'db1.example' }))).toBe(false);
  });

  it('is the folder of a file, by any path to it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'places-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const link = `${folder}-link`;
    symlinkSync(folder, link);
    onTestFinished(() => rmSync(link));
    const sqlite = (path: string) => written('sqlite', { path });
    expect(isSamePlace(sqlite(folder), sqlite(link))).toBe(true);
    expect(isSamePlace(sqlite(folder), sqlite(`${folder}/../${folder.split('/').at(-1)}/.`))).toBe(true);
    expect(isSamePlace(sqlite(folder), sqlite(tmpdir()))).toBe(false);
  });
});
