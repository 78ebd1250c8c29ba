import { expect, test } from 'vitest';
import type { Endpoint } from '#engine-api/config.ts';
import { canary, leak, testRefusals, testSilenceOnPasswords } from '../conformance/config-refusal.fixture.ts';
import { config, type OracleConfig } from './config.ts';

test('fields have defaults', () => {
  expect(config.parse({ user: 'dyno', serviceName: 'FREEPDB1' })).toEqual({
    connectString:
      '(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=localhost)(PORT=1521))(CONNECT_DATA=(SERVICE_NAME=FREEPDB1)))',
    user: 'dyno',
    password: null,
    serverDnMatch: true,
    walletLocation: null,
    walletPassword: null,
    mode: 'thin',
    libDir: null,
    sessionSettings: {},
    connectTimeoutMs: 10_000,
  });
});

test('a URL fills the fields, and fields given as well win', () => {
  const url = `oracle://app:${encodeURIComponent(canary)}@db.example:1600/sales`;
  const parsed = config.parse({ url, port: 1700 });
  expect(parsed).toMatchObject({ user: 'app', password: canary });
  expect(config.describe(parsed).address).toBe('db.example:1700/sales');
  expect(config.endpoints(parsed)).toEqual([{ host: 'db.example', port: 1700 }]);
});

test('oracles is TLS on its own port; a SID and a wallet come as parameters', () => {
  const parsed = config.parse({ url: 'oracles://app@db.example?sid=ORCL&walletLocation=/wallet' });
  expect(parsed.connectString).toBe(
    '(DESCRIPTION=(ADDRESS=(PROTOCOL=tcps)(HOST=db.example)(PORT=2484))(CONNECT_DATA=(SID=ORCL)))',
  );
  expect(parsed.walletLocation).toBe('/wallet');
  expect(config.describe(parsed).address).toBe('tcps://db.example:2484/ORCL');
});

test.each([
  ['db:1600/sales', 'db:1600/sales', [{ host: 'db', port: 1600 }]],
  ['tcps://db/sales?wallet_location=/w', 'tcps://db/sales', [{ host: 'db', port: 2484 }]],
  ['//[::1]:1521/x', '//[::1]:1521/x', [{ host: '::1', port: 1521 }]],
  ['sales_alias', 'sales_alias', []],
  [
    '(DESCRIPTION=(ADDRESS_LIST=(ADDRESS=(PROTOCOL=TCP)(HOST=a)(PORT=1521))(ADDRESS=(PROTOCOL=TCP)(HOST=b)(PORT=1522)))(CONNECT_DATA=(SERVICE_NAME=s)))',
    'a:1521,b:1522/s',
    [
      { host: 'a', port: 1521 },
      { host: 'b', port: 1522 },
    ],
  ],
])('connect string %s', (connectString, address, endpoints) => {
  const parsed = config.parse({ user: 'u', connectString });
  expect(config.describe(parsed).address).toBe(address);
  expect(config.endpoints(parsed)).toEqual(endpoints);
});

test('description and grants hold no secret', () => {
  const parsed = config.parse({
    user: 'dyno',
    serviceName: 's',
    password: canary,
    walletPassword: canary,
    sessionSettings: { optimizer_mode: 'FIRST_ROWS' },
  });
  const shown = JSON.stringify(config.describe(parsed)) + config.grants(parsed);
  expect(shown).not.toMatch(leak);
  expect(shown).toContain('"ALTER SESSION SET optimizer_mode":"FIRST_ROWS"');
});

test('the grants name the user as the dictionary does, and every view that is read', () => {
  const script = config.grants(config.parse({ user: 'bench', serviceName: 's' }));
  expect(script).toContain('GRANT CREATE SESSION TO BENCH;');
  expect(script).toContain('GRANT SELECT ON SYS.V_$SYSTEM_EVENT TO BENCH;');
  expect(script).toContain('GRANT SELECT ON SYS.V_$LOG TO BENCH;');
  expect(script).not.toMatch(/V_\$ACTIVE_SESSION_HISTORY|DBA_HIST/i);
  expect(config.grants(config.parse({ user: '"mixed Case"', serviceName: 's' }))).toContain('TO "mixed Case";');
});

testRefusals(config, [
  [{ serviceName: 's' }, 'user'],
  [{ user: 'u' }, 'serviceName'],
  [{ user: 'u', serviceName: 's', prot: 1 }, '"prot"'],
  [{ user: 'u', serviceName: 's', port: '1521' }, 'port'],
  [{ user: 'u', serviceName: 's', port: 0 }, '65535'],
  [{ user: 'u', serviceName: 's)(HOST=evil', host: 'h' }, 'serviceName'],
  [{ user: 'u', serviceName: 's', protocol: 'udp' }, 'tcps'],
  [{ user: 'u', serviceName: 's', mode: 'medium' }, 'thick'],
  [{ url: 'postgres://x' }, 'oracle://'],
  [{ url: 'oracle://u@h/s?mode=SYSDBA' }, 'SYSDBA'],
  [{ user: 'u', serviceName: 's', sessionSettings: { 'a; DROP': 1 } }, 'a; DROP'],
  [{ user: 'u', serviceName: 's', sessionSettings: { a: "x' DROP" } }, 'sessionSettings.a'],
  [{ user: 'u', serviceName: 's', sessionSettings: { current_schema: 'hr' } }, 'current_schema'],
  [{ user: 'u', serviceName: 's', connectTimeoutMs: 0 }, 'connectTimeoutMs'],
]);

testSilenceOnPasswords(config, [
  'http://app:c4nary@host',
  'oracle://app:c4nary%zz%20@host/s',
  'oracle://app:c4n@ry/x@host/s',
  'oracle://app:c4nary@host:port/s',
]);

const elsewhere = ({ host, port }: Endpoint) => ({ host: `emulator-of-${host}`, port: port + 1 });
const throughEmulator = (raw: Readonly<Record<string, unknown>>) =>
  config.through!(config.parse({ user: 'u', ...raw }), elsewhere) as OracleConfig;

test.each([
  [
    { host: 'db', serviceName: 's' },
    '(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=emulator-of-db)(PORT=1522))(CONNECT_DATA=(SERVICE_NAME=s)))',
  ],
  [{ connectString: 'db.example/sales' }, 'tcp://emulator-of-db.example:1522/sales'],
  [{ connectString: 'tcp://db:1600/sales:dedicated?sdu=8192' }, 'tcp://emulator-of-db:1601/sales:dedicated?sdu=8192'],
  [
    {
      connectString:
        '(DESCRIPTION=(FAILOVER=on)(ADDRESS_LIST=(ADDRESS=(PROTOCOL=tcp)(PORT=1700)(HOST=a))(ADDRESS = (PROTOCOL=tcp)(HOST=b)))(CONNECT_DATA=(SID=x)))',
    },
    '(DESCRIPTION=(FAILOVER=on)(ADDRESS_LIST=(ADDRESS=(PROTOCOL=tcp)(HOST=emulator-of-a)(PORT=1701))(ADDRESS=(PROTOCOL=tcp)(HOST=emulator-of-b)(PORT=1522)))(CONNECT_DATA=(SID=x)))',
  ],
  [
    { connectString: 'tcps://db/sales?ssl_server_cert_dn=CN=db' },
    'tcps://emulator-of-db:2485/sales?ssl_server_cert_dn=CN=db',
  ],
  [{ connectString: 'tcps://db/sales', serverDnMatch: false }, 'tcps://emulator-of-db:2485/sales'],
])('through a network emulator %o', (raw, via) => {
  const through = throughEmulator(raw);
  expect(through.via).toBe(via);
  expect(through.connectString).toBe((config.parse({ user: 'u', ...raw }) as OracleConfig).connectString);
});

test.each([
  [{ connectString: 'SALES' }, 'names no host and port'],
  [
    { connectString: 'tcps://db/sales' },
    'address of the network emulator, SSH tunnel or SOCKS proxy in the certificate',
  ],
])('no network emulator can be put before %o', (raw, message) => {
  expect(() => throughEmulator(raw)).toThrow(message);
});
