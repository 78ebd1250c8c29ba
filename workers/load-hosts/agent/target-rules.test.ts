import { expect, test } from 'vitest';
import { catalog, findEngine } from '#engines/catalog.ts';
import { targetRules } from './target-rules.ts';

const parsed = (engine: string, raw: Readonly<Record<string, unknown>>) => findEngine(engine)!.config.parse(raw);
const postgres = (host: string) => parsed('postgres', { host, database: 'd', user: 'u' });

test('an agent drives load against the servers that its patterns name, and no other', () => {
  const rules = targetRules(['*.test.example.com:5432', '10.0.0.7:*', 'db:*', '[fd00::*]:5432']);
  for (const host of ['a.test.example.com', '10.0.0.7', 'DB', 'fd00::1']) rules.check('postgres', postgres(host));
  for (const host of [
    ...['test.example.com', 'a.test.example.com.evil.org', '10.0.0.70', 'x10x0x0x7', '10.0.0.7:x', 'db::1', 'fd01::1'],
    ...['evil.org,a.test.example.com', '/tmp/.test.example.com:5432'],
  ])
    expect(() => rules.check('postgres', postgres(host)), host).toThrow(/drives no load against|does not let/);
  expect(() => targetRules(['a:b'])).toThrow('names no server');
});

test('it opens no file of its own machine, and no engine that it has not', () => {
  const rules = targetRules([]);
  rules.check('noop', {});
  rules.check('postgres', postgres('anywhere'));
  expect(() => rules.check('sqlite', { path: '/etc' })).toThrow('makes no files');
  expect(() => rules.check('nothing', {})).toThrow('has no engine');
});

test.each(catalog.filter(({ config }) => config.through).map(({ descriptor }) => descriptor.id))(
  'an address in place of the target’s own is refused: %s',
  (engine) => {
    const { config } = findEngine(engine)!;
    const own = parsed(engine, {
      ...(engine === 'ravendb' ? { url: 'http://db.example:8080' } : { host: 'db.example' }),
      ...(engine === 'oracle' && { user: 'u', serviceName: 's' }),
      ...(engine === 'drda' && { database: 'd' }),
    });
    for (const rules of [targetRules([]), targetRules(['db.example:*'])]) {
      rules.check(engine, own);
      const elsewhere = config.through!(own, () => ({ host: 'evil.example', port: 1 }));
      expect(() => rules.check(engine, elsewhere)).toThrow('own address');
      expect(() => rules.check(engine, { ...own, via: null })).toThrow('own address');
    }
  },
);

test('what is judged is what the engine makes of the configuration', () => {
  const rules = targetRules(['db.example:*']);
  expect(() => rules.check('postgres', { url: 'postgres://evil.example/d' })).toThrow('against evil.example:5432');
  expect(() => rules.check('postgres', { ...postgres('db.example'), hostaddr: 'evil.example' })).toThrow('hostaddr');
  expect(() => rules.check('postgres', {})).toThrow('no load against localhost');
  for (const connectString of [
    'db.example,evil.example:1521/s',
    'db.example:1521,evil.example:1521/s',
    '(DESCRIPTION=(ADDRESS=(HOST=evil.example)(PROTOCOL=tcp))(ADDRESS=(HOST=db.example)(PROTOCOL=tcp)(PORT=1)))',
    '(ADDRESS=(PROTOCOL=tcp)(HOST=db.example)(PORT=1521)(HTTPS_PROXY=evil.example))',
    'tcps://db.example:2484/s?https_proxy=evil.example',
    'tcps://db.example:2484/s?"https"_proxy=evil.example',
    '(ADDRESS=(PROTOCOL=tcp)(HOST=db.example)(PORT=1521))(ADDRESS=(PROTOCOL=tcp)(HOST=evil.example)(PORT=1)(X=(Y=z)))',
    '(ADDRESS=(PROTOCOL=tcp)(HOST="evil.example")(PORT=1521))',
  ])
    expect(() => rules.check('oracle', { user: 'u', connectString }), connectString).toThrow();
  const mongo = (raw: Readonly<Record<string, unknown>>) => rules.check('mongodb', { host: 'db.example', ...raw });
  mongo({});
  expect(() => mongo({ srv: true })).toThrow('SRV');
  expect(() => mongo({ host: 'db.example,evil.example' })).toThrow('no load against evil.example:27017');
  expect(() => mongo({ uriOptions: { proxyHost: 'evil.example' } })).toThrow('proxy');
  expect(() => mongo({ uriOptions: { 'a=1&proxyHost': 'evil.example' } })).toThrow('option');
});

test.each<readonly [string, string, Readonly<Record<string, unknown>>]>([
  ['code', 'oracle', { user: 'u', serviceName: 's', mode: 'thick', libDir: '/tmp/lib' }],
  ['code', 'oracle', { user: 'u', serviceName: 's', mode: 'thick' }],
  ['code', 'oracle', { user: 'u', serviceName: 's', libDir: '/tmp/lib' }],
  ['identity', 'mongodb', { authMechanism: 'MONGODB-OIDC' }],
  ['identity', 'mongodb', { authMechanism: 'GSSAPI' }],
  ['identity', 'mongodb', { uriOptions: { authMechanismProperties: 'ENVIRONMENT:k8s' } }],
  ['identity', 'mongodb', { url: 'mongodb://h/?authMechanism=MONGODB-AWS' }],
  ['identity', 'sqlserver', { authentication: 'azure-active-directory-default' }],
  ['identity', 'sqlserver', { authentication: 'azure-active-directory-msi-app-service' }],
  ['identity', 'postgres', { kerberos: true }],
  ['identity', 'postgres', { host: '/run/postgresql' }],
  ['identity', 'mysql', { host: '/run/mysqld.sock' }],
  ['file', 'oracle', { user: 'u', serviceName: 's', walletLocation: '/wallet' }],
  ['file', 'oracle', { user: 'u', connectString: 'sales' }],
  ['file', 'mongodb', { tlsCAFile: '/dev/zero' }],
  ['file', 'mysql', { ssl: 'verify-full', ca: '/dev/zero' }],
  ['file', 'ravendb', { url: 'https://h', certificate: '/x.pfx' }],
])(
  'a target that makes a use of the kind %s of the agent’s machine is refused, unless it is allowed: %s %j',
  (kind, engine, raw) => {
    const kinds = ['file', 'code', 'identity'] as const;
    // The target is tried as it comes, and as a coordinator's parser has read it.
    for (const config of [raw, parsed(engine, raw)]) {
      expect(() => targetRules([]).check(engine, config)).toThrow('does not let');
      expect(() =>
        targetRules(
          [],
          kinds.filter((one) => one !== kind),
        ).check(engine, config),
      ).toThrow(`does not let`);
      targetRules([], kinds).check(engine, config);
    }
  },
);
