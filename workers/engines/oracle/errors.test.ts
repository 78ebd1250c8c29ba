import { expect, test } from 'vitest';
import { casesOf, testHints } from '../shared/recorded-errors.fixture.ts';
import { toError } from './errors.ts';

/**
 * Errors as the driver (26.0, Thin) throws them. Those of `recorded` come from the emulator and from the driver itself;
 * the others are the messages of Oracle's own catalogue (Database Error Messages), which only a real server sends.
 */
const recorded = casesOf({
  authentication: { 'ORA-01017': 'ORA-01017: invalid username/password; logon denied' },
  unreachable: {
    'NJS-530':
      'NJS-530: The host addresses or URLs provided by the connect string are incorrect or unresolvable in your network.',
    'NJS-503':
      'NJS-503: connection to host 127.0.0.1 port 1 could not be established.\nconnect ECONNREFUSED 127.0.0.1:1',
    'NJS-510':
      'NJS-510: connection to host 127.0.0.1 port 33791 timed out. Request exceeded "connectTimeout" of 1 seconds.',
  },
  serverGone: {
    'NJS-500':
      'NJS-500: connection to Oracle Database was closed or broken\nNJS-521: connection to host 127.0.0.1 port 46041 received end-of-file on communication channel.',
    'NJS-003': 'NJS-003: invalid or closed connection',
  },
  badInput: { 'NJS-516': 'NJS-516: no configuration directory set or available to search for tnsnames.ora' },
  tls: {
    'NJS-512':
      "NJS-512: invalid connection string parameters.\nENOENT: no such file or directory, open '/nonexistent/ewallet.pem'",
  },
  unsupported: {
    'DPI-1047':
      'DPI-1047: Cannot locate a 64-bit Oracle Client library: "/nonexistent/libclntsh.so: cannot open shared object file: No such file or directory".',
    'ORA-03115': 'ORA-03115: unsupported network datatype or representation (TTC function 128)',
  },
  syntax: {
    'ORA-00900': 'ORA-00900: syntax error at or near "SELEC"',
    'ORA-00942': 'ORA-00942: table or view "DYNO"."NOPE" does not exist',
  },
  constraint: {
    'ORA-01400': 'ORA-01400: cannot insert NULL into ("DYNO"."TT"."A")',
    'ORA-12899': 'ORA-12899: value too long for type character varying(3)',
  },
  uniqueViolation: {
    'ORA-00001': 'ORA-00001: unique constraint (DYNO.DYNO_T1_PK) violated on table DYNO.DYNO_T1 columns ("ID")',
  },
  cancelled: { 'ORA-01013': 'ORA-01013: User requested cancel of current operation.' },
});
const documented = casesOf({
  authentication: {
    'ORA-28000': 'ORA-28000: The account is locked.',
    'ORA-28001': 'ORA-28001: the password has expired',
  },
  permission: {
    'ORA-01031': 'ORA-01031: insufficient privileges',
    'ORA-01045': 'ORA-01045: user DYNO lacks CREATE SESSION privilege; logon denied',
    'ORA-01950': "ORA-01950: no privileges on tablespace 'USERS'",
  },
  'deadlock, retryable': { 'ORA-00060': 'ORA-00060: deadlock detected while waiting for resource' },
  'lockTimeout, retryable': {
    'ORA-00054': 'ORA-00054: resource busy and acquire with NOWAIT specified or timeout expired',
    'ORA-30006': 'ORA-30006: resource busy; acquire with WAIT timeout expired',
  },
  'serialization, retryable': { 'ORA-08177': "ORA-08177: can't serialize access for this transaction" },
  diskFull: {
    'ORA-01653': 'ORA-01653: unable to extend table DYNO.DYNO_T1 by 128 in tablespace USERS',
    'ORA-01536': "ORA-01536: space quota exceeded for tablespace 'USERS'",
    'ORA-00257': 'ORA-00257: Archiver error. Connect AS SYSDBA only until resolved.',
  },
  connectionLimit: {
    'ORA-00020': 'ORA-00020: maximum number of processes (300) exceeded',
    'ORA-02391': 'ORA-02391: exceeded simultaneous SESSIONS_PER_USER limit',
  },
  limit: {
    'ORA-01000': 'ORA-01000: maximum open cursors exceeded',
    'ORA-04031': 'ORA-04031: unable to allocate 4096 bytes of shared memory',
  },
  'connectionLimit, retryable': {
    'ORA-12516': [
      'ORA-12516: TNS:listener could not find available handler with matching protocol stack',
      'NJS-511: connection to listener at host db port 1521 was refused.\nCause: ORA-12516',
    ],
  },
  'unreachable, retryable': { 'ORA-01033': 'ORA-01033: ORACLE initialization or shutdown in progress' },
  serverGone: {
    'ORA-01089':
      'NJS-500: connection to Oracle Database was closed or broken\nORA-01089: immediate shutdown or close in progress - no operations are permitted',
    'ORA-00028': 'NJS-500: connection to Oracle Database was closed or broken\nORA-00028: your session has been killed',
    'ORA-03113':
      'NJS-500: connection to Oracle Database was closed or broken\nORA-03113: end-of-file on communication channel',
  },
  badInput: {
    'NJS-518':
      'NJS-518: cannot connect to Oracle Database. Service "nope" is not registered with the listener at host db port 1521.',
    'ORA-12514': 'ORA-12514: TNS:listener does not currently know of service requested in connect descriptor',
  },
  tls: {
    'NJS-506':
      'NJS-506: connection to host db port 2484 encountered TLS handshake failure.\nself-signed certificate in certificate chain',
    'NJS-508': 'NJS-508: TLS detected an invalid certificate. db not present in certificate',
  },
  unsupported: {
    'NJS-138': 'NJS-138: connections to this database server version are not supported by node-oracledb in Thin mode',
  },
  uniqueViolation: {
    'ORA-01502': "ORA-01502: index 'DYNO.DYNO_T1_PK' or partition of such index is in unusable state",
  },
});

const errorOf = (code: string, message: string) => {
  const own = /^(?:ORA|NJS|DPI)-\d+/.exec(message)?.[0] ?? code;
  return Object.assign(new Error(message), { code: own });
};

test.each([...recorded, ...documented])('%s (retryable: %s): %s %s', (kind, retryable, code, message) => {
  const found = toError(errorOf(code, message));
  expect(found).toMatchObject({ kind, retryable, code });
  expect(found.message).toContain(message);
});

testHints(
  [...recorded, ...documented].map(([kind, , code, message]) => [kind, toError(errorOf(code, message))]),
  ['serialization', 'unsupported'],
);

test('what happened inside a block or a recursive call decides', () => {
  const inLoop = 'ORA-00001: unique constraint (DYNO.PK) violated\nORA-06512: at line 4';
  expect(toError(errorOf('ORA-00001', inLoop))).toMatchObject({ kind: 'uniqueViolation' });
  const recursive =
    'ORA-00604: error occurred at recursive SQL level 1\nORA-01653: unable to extend table SYS.X by 8 in tablespace SYSTEM';
  expect(toError(errorOf('ORA-00604', recursive))).toMatchObject({ kind: 'diskFull', code: 'ORA-00604' });
  const block = 'ORA-06550: line 1, column 7:\nPLS-00201: identifier must be declared';
  expect(toError(errorOf('ORA-06550', block))).toMatchObject({ kind: 'syntax' });
});

test('addresses of help pages and ids of single connections are left out', () => {
  const message =
    'NJS-503: connection to host db port 1 could not be established. (CONNECTION_ID=YEPc5aj+GOwXmd0EN5dW6g==)\nconnect ECONNREFUSED\nHelp: https://docs.oracle.com/error-help/db/ora-12541/';
  expect(toError(errorOf('NJS-503', message)).message).toBe(
    'NJS-503: connection to host db port 1 could not be established.\nconnect ECONNREFUSED',
  );
});

test('an internal error stays internal', () => {
  expect(toError(new TypeError('x is not a function'))).toMatchObject({ kind: 'internal' });
});
