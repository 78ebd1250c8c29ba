import type { ConnectionStrings, Parameter, Reading } from '#engine-api/connection-strings/connection-strings.ts';
import { readPairs } from '#engine-api/connection-strings/pairs.ts';
import {
  dynosOwn,
  isYes,
  leftOut,
  type Rules,
  readOnlyIfYes,
  readSettings,
  severalHosts,
  type Taken,
  timeoutOf,
  withParts,
} from '#engine-api/connection-strings/reading.ts';
import { splitUrl } from '#engine-api/connection-strings/url-parts.ts';
import { DynoError } from '#model/error.ts';
import { descriptor } from '../descriptor.ts';

/** The engine's label and an example of its URLs, for messages. */
export const urlForm = { label: descriptor.label, example: 'drda://user:password@host:1527/database' } as const;

/** The fields of a target by their own names, then those of the JDBC drivers of Derby and of SQLFire's family. */
const rules: Rules = {
  ...dynosOwn,
  ...Object.fromEntries(
    descriptor.config.filter(({ kind }) => kind !== 'map').map(({ name }) => [name.toLowerCase(), name] as const),
  ),
  databasename: 'database',
  ssl: sslOf,
  securitymechanism: securityOf,
  logintimeout: timeoutOf,
  readonly: readOnlyIfYes,
  shutdown: (value) => (isYes(value) === false ? {} : { problem: 'It shuts the database down.' }),
  bootpassword: () => ({ problem: 'It boots an encrypted database, which is its server’s to do.' }),
  dataencryption: () => ({ problem: 'It boots an encrypted database, which is its server’s to do.' }),
  ...leftOut(
    'Dyno connects to a database that is there',
    'create upgrade createfrom restorefrom rollforwardrecoveryfrom territory',
  ),
  ...leftOut(
    'Dyno’s client has no such setting',
    'retrievemessagetext tracelevel tracedirectory tracefile tracefileappend deregister secondarylocators loadbalance singlehopenabled',
  ),
};

/** Derby's values off, basic and peerAuthentication. basic encrypts and checks no certificate. */
function sslOf(value: string): Taken {
  const word = value.toLowerCase();
  if (word === 'basic') return { values: { ssl: 'require' } };
  if (word === 'peerauthentication')
    return { problem: 'It shows a certificate of the client, which Dyno’s client does not have.' };
  return { values: { ssl: isYes(word) === false ? 'disable' : isYes(word) === true ? 'require' : word } };
}

/** Derby's numbers of the mechanisms. */
function securityOf(value: string): Taken {
  const security = ({ 3: 'plain', 4: 'userOnly', 8: 'substitute', 9: 'encrypted' } as const)[value.trim()];
  return security === undefined
    ? { problem: 'It names a security mechanism that Dyno’s client does not have.' }
    : { values: { security } };
}

const readAll = (settings: Iterable<Parameter>): Reading =>
  readSettings(settings, rules, { label: descriptor.label, fields: descriptor.config });

const jdbcUrl =
  /^\/\/(?<host>\[[0-9a-f:.]+\]|[^\s:@/?#;,()[\]]*)(?:[:[](?<port>\d{1,5})\]?)?\/(?<database>[^;?]*)(?:[;?](?<pairs>.*))?$/is;

/**
 * Reads drda://user:password@host:port/database?dialect=…&security=…&ssl=…&ca=… with the usual percent-encoding, and
 * URLs of the JDBC drivers.
 */
export const connectionStrings: ConnectionStrings = {
  settings: readAll,
  read(given) {
    const text = given.trim();
    if (/^drda:\/\//i.test(text)) {
      const url = splitUrl(text, urlForm);
      const [host, ...others] = url.hosts;
      if (others.length > 0)
        throw new DynoError('badInput', severalHosts, { hint: 'Name the one that is to be measured.' });
      return withParts(readAll(url.parameters), { ...url, host: host?.host, port: host?.port });
    }
    const { product = '', rest = '' } =
      /^jdbc:(?<product>derby|sqlfire|gemfirexd|snappydata):(?<rest>.*)$/is.exec(text)?.groups ?? {};
    if (product === '') return null;
    const found = jdbcUrl.exec(rest)?.groups;
    if (!found)
      throw new DynoError('badInput', 'This JDBC URL leads to a database within its program, and to no server.', {
        hint: 'Start the network server, and write jdbc:derby://host:1527/database.',
      });
    const isFamily = product.toLowerCase() !== 'derby';
    const read = readAll(readPairs(found.pairs ?? '', 'plain'));
    const values = { ...(isFamily && { dialect: 'sqlfire' }), ...read.values };
    // URLs of SQLFire's family name no database, because the server has one.
    const ofFamily = (
      { sqlfire: 'sqlfire', gemfirexd: 'gemfirexd', snappydata: 'snappydata' } as Readonly<Record<string, string>>
    )[product.toLowerCase()];
    return withParts(
      { ...read, values },
      {
        host: found.host?.replace(/^\[(.*)\]$/, '$1'),
        port: found.port === undefined ? null : Number(found.port),
        path: found.database || ofFamily,
      },
    );
  },
};
