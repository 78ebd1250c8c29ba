import { DrdaError } from '../errors.ts';
import type { Mechanism } from '../security/mechanisms.ts';
import { dialectOf, type ServerDialect } from './dialect.ts';
import { OtherMechanisms, type ReplyObject, readAccess, readAccessSecurity, readAttributes } from './login-replies.ts';
import { accessDatabase, exchangeAttributes, type Login, newSecret } from './login-requests.ts';
import type { Encode } from './requests.ts';
import type { Exchange, Transport } from './transport.ts';

/** The server's own description: EXCSATRD, and PRDID of ACCRDBRM. */
export interface ServerFacts {
  /** SRVCLSNM, e.g. "Apache Derby". */
  readonly className: string;
  /** SRVRLSLV, e.g. "CSS10160/10.16.1.1 - (1901046)". */
  readonly release: string;
  /** SRVNAM. */
  readonly name: string;
  /** PRDID, e.g. "CSS10160". */
  readonly productId: string;
  readonly securityMechanism: Mechanism;
}

export interface LoggedIn {
  readonly server: ServerFacts;
  readonly encode: Encode;
  readonly dialect: ServerDialect;
}

/** Takes an open socket to an open database: EXCSAT, ACCSEC, SECCHK and ACCRDB. */
export async function logIn(
  transport: Transport,
  login: Login,
  mechanism: Mechanism,
): Promise<LoggedIn | OtherMechanisms> {
  const secret = newSecret(mechanism);
  const first = await ask(transport, exchangeAttributes(login, mechanism, secret), 2);
  const attributes = readAttributes(first);
  const answer = readAccessSecurity(first, mechanism);
  if (answer instanceof OtherMechanisms) return answer;
  const dialect = dialectOf(attributes.className, attributes.release);
  const { encode } = attributes;
  const second = await ask(transport, accessDatabase(login, mechanism, secret, answer, encode, dialect), 2);
  const server = {
    className: attributes.className,
    release: attributes.release,
    name: attributes.name,
    productId: readAccess(second, encode),
    securityMechanism: mechanism,
  };
  return { server, encode, dialect };
}

/** The limit of objects in the replies to a login, which are few. */
const objectsAtMost = 64;

function ask(transport: Transport, chain: Buffer, lastCorrelation: number): Promise<readonly ReplyObject[]> {
  return new Promise((resolve, reject) => {
    const objects: ReplyObject[] = [];
    const exchange: Exchange = {
      lastCorrelation,
      take(codePoint, buffer, start, end) {
        if (objects.length === objectsAtMost)
          throw new DrdaError('limit', 'The server’s reply to the login is too long.');
        objects.push({ codePoint, value: Buffer.from(buffer.subarray(start, end)) });
      },
      done: () => resolve(objects),
      fail: reject,
    };
    transport.send(chain, exchange);
  });
}
