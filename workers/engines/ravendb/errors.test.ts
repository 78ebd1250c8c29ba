import { expect, test } from 'vitest';
import { DynoError, type ErrorKind } from '#model/error.ts';
import { toError } from './errors.ts';

const named = (name: string, message: string) => Object.assign(new Error(message), { name });
const stack =
  '\n   at Raven.Server.Documents.DocumentsStorage.Put() in C:\\Builds\\RavenDB-Stable-4.1\\src\\X.cs:line 3\n   at Raven.Server.Y()';
const forbidden = (words: string) =>
  named(
    'AuthorizationException',
    `Forbidden access to m1@https://127.0.0.1:18443, GET https://127.0.0.1:18443/admin/metrics\n${JSON.stringify({ Type: 'InvalidAuth', Message: words })}`,
  );

/** Errors that the driver throws for RavenDB's answers (name and message, recorded), and what each comes to. */
const fromServer: readonly (readonly [ErrorKind, boolean, string | null, string, Error])[] = [
  [
    'uniqueViolation',
    false,
    'ConcurrencyException',
    'Document z/1 has change vector A:4-x, but Put was called with expecting new document. Optimistic concurrency violation, transaction will be aborted.',
    named(
      'ConcurrencyException',
      'Document z/1 has change vector A:4-x, but Put was called with expecting new document. Optimistic concurrency violation, transaction will be aborted.',
    ),
  ],
  [
    'serialization',
    true,
    'ConcurrencyException',
    'Document z/1 has change vector A:4-x, but Put was called with change vector A:3-x. Optimistic concurrency violation, transaction will be aborted.',
    named(
      'ConcurrencyException',
      'Document z/1 has change vector A:4-x, but Put was called with change vector A:3-x. Optimistic concurrency violation, transaction will be aborted.',
    ),
  ],
  [
    'badInput',
    false,
    'DatabaseDoesNotExistException',
    "Database 'nope' does not exist.",
    named(
      'DatabaseDoesNotExistException',
      `Raven.Client.Exceptions.Database.DatabaseDoesNotExistException: Database 'nope' does not exist.${stack}`,
    ),
  ],
  [
    'unreachable',
    false,
    'NodeIsPassiveException',
    "Can't perform actions on the database 'dyno' while the node is passive.",
    named(
      'NodeIsPassiveException',
      `Raven.Client.Exceptions.Cluster.NodeIsPassiveException: Can't perform actions on the database 'dyno' while the node is passive.${stack}`,
    ),
  ],
  [
    'permission',
    false,
    'AuthorizationException',
    "Could not authorize access to m2 using provided client certificate 'CN=few(Thumbprint: 66)'.",
    forbidden("Could not authorize access to m2 using provided client certificate 'CN=few(Thumbprint: 66)'."),
  ],
  [
    'authentication',
    false,
    'AuthorizationException',
    "The supplied client certificate 'CN=unknown' is unknown to the server. In order to register your certificate please contact your system administrator.",
    forbidden(
      "The supplied client certificate 'CN=unknown' is unknown to the server. In order to register your certificate please contact your system administrator.",
    ),
  ],
  [
    'tls',
    false,
    'InsufficientTransportLayerProtectionException',
    "Attempted to access an HTTPS server using HTTP, did you forget to change 'http://' to 'https://' ?",
    named(
      'RavenException',
      `Raven.Client.Exceptions.Security.InsufficientTransportLayerProtectionException: Attempted to access an HTTPS server using HTTP, did you forget to change 'http://' to 'https://' ?${stack}`,
    ),
  ],
  [
    'syntax',
    false,
    'JavaScriptException',
    'At 4:3 Script failed for document ID \'z/1\'. {"message":"Cannot convert undefined or null to object"}',
    named(
      'JavaScriptException',
      `Raven.Client.Exceptions.Documents.Patching.JavaScriptException: At 4:3 Script failed for document ID 'z/1'. {"message":"Cannot convert undefined or null to object"}\n ---> Jint.Runtime.JavaScriptException: Cannot convert undefined or null to object${stack}`,
    ),
  ],
  [
    'wrongResult',
    false,
    'JavaScriptException',
    'At 0:4 There is no document nope/1 to change.',
    named(
      'JavaScriptException',
      `Raven.Client.Exceptions.Documents.Patching.JavaScriptException: At 0:4 There is no document nope/1 to change. ---> Jint.Runtime.JavaScriptException: There is no document nope/1 to change.${stack}`,
    ),
  ],
  [
    'constraint',
    false,
    'JavaScriptException',
    'At 10:3 Script failed for document ID \'z/1\'. {"message":"boom"}',
    named(
      'JavaScriptException',
      `Raven.Client.Exceptions.Documents.Patching.JavaScriptException: At 10:3 Script failed for document ID 'z/1'. {"message":"boom"}\n ---> Jint.Runtime.JavaScriptException: boom${stack}`,
    ),
  ],
  [
    'syntax',
    false,
    'ParseException',
    '1:56 Expected end of query but got: limit Query: from x limit 3',
    named(
      'RavenException',
      `Raven.Server.Documents.Queries.Parser.QueryParser+ParseException: 1:56 Expected end of query but got: limit\nQuery: \nfrom x limit 3${stack}`,
    ),
  ],
  [
    'syntax',
    false,
    'IndexCompilationException',
    'Indexing function must return an anonymous object',
    named(
      'IndexCompilationException',
      `Raven.Client.Exceptions.Documents.Compilation.IndexCompilationException: Indexing function must return an anonymous object${stack}`,
    ),
  ],
  [
    'syntax',
    false,
    'IndexCompilationException',
    "Failed to compile index sales/e: CS0019: Operator '!=' cannot be applied to operands of type 'decimal' and 'IComparable'",
    named(
      'IndexCompilationException',
      `IndexCompilationException: Failed to compile index sales/e\r\n\r\nusing System;\r\nusing System.Linq;\r\n}\r\n\r\n(71,95): error CS0019: Operator '!=' cannot be applied to operands of type 'decimal' and 'IComparable'\r\n(65,30): error CS1061: 'object' does not contain a definition for 'Key'\r\n`,
    ),
  ],
  [
    'limit',
    false,
    'ArgumentException',
    'Key size is too big, must be at most 2025 bytes, but was 3015 Parameter name: key',
    named(
      'RavenException',
      `System.ArgumentException: Key size is too big, must be at most 2025 bytes, but was 3015\nParameter name: key${stack}`,
    ),
  ],
  [
    'diskFull',
    false,
    'DiskFullException',
    'There is not enough space for file Raven.voron.',
    named(
      'RavenException',
      `Voron.Exceptions.DiskFullException: There is not enough space for file Raven.voron.${stack}`,
    ),
  ],
  [
    'diskFull',
    false,
    'IOException',
    'No space left on device',
    named('RavenException', `System.IO.IOException: No space left on device${stack}`),
  ],
  [
    'limit',
    false,
    'LicenseLimitException',
    'Your current license does not include it.',
    named('LicenseLimitException', 'Your current license does not include it.'),
  ],
  [
    'unsupported',
    false,
    'FeaturesAvailabilityException',
    "Can not use 'Cluster Transactions', as this is an experimental feature.",
    named(
      'RavenException',
      `Raven.Server.Exceptions.FeaturesAvailabilityException: Can not use 'Cluster Transactions', as this is an experimental feature.${stack}`,
    ),
  ],
  [
    'unsupported',
    false,
    'RouteNotFoundException',
    'There is no handler for path: GET /databases/m1/collections/stats/detailed',
    named(
      'RouteNotFoundException',
      `Raven.Client.Exceptions.Routing.RouteNotFoundException: There is no handler for path: GET /databases/m1/collections/stats/detailed${stack}`,
    ),
  ],
  [
    'timeout',
    true,
    'DatabaseConcurrentLoadTimeoutException',
    'Too many databases loading concurrently.',
    named(
      'RavenException',
      `Raven.Client.Exceptions.Database.DatabaseConcurrentLoadTimeoutException: Too many databases loading concurrently.${stack}`,
    ),
  ],
  [
    'cancelled',
    false,
    'OperationCanceledException',
    'The operation was canceled.',
    named('RavenException', `System.OperationCanceledException: The operation was canceled.${stack}`),
  ],
  [
    'other',
    false,
    'BrandnewException',
    'Something of a later version.',
    named('RavenException', `Raven.Server.Some.BrandnewException: Something of a later version.${stack}`),
  ],
];

test.each(fromServer)('%s (retryable: %s): %s %s', (kind, retryable, code, message, thrown) => {
  expect(toError(thrown)).toMatchObject({ kind, retryable, code, message });
});

test('what a DBA has to act on comes with a hint', () => {
  const selfEvident = ['syntax', 'cancelled', 'other'];
  for (const [kind, , , message, thrown] of fromServer)
    if (!selfEvident.includes(kind)) expect(toError(thrown).hint, message).toBeTruthy();
});

const caused = (name: string, message: string, cause: Error) => Object.assign(named(name, message), { cause });
const coded = (message: string, code: string) => Object.assign(new Error(message), { code });
const fetchError = (reason: string, code: string) => caused('TypeError', 'fetch failed', coded(reason, code));
const several = (...errors: Error[]) => Object.assign(new AggregateError(errors, ''), { code: 'ECONNREFUSED' });

/** Errors of the socket, as fetch() and the driver pass them on: recorded from Node 24. */
const fromSocket: readonly (readonly [ErrorKind, string, Error])[] = [
  ['unreachable', 'connect ECONNREFUSED 127.0.0.1:1', fetchError('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED')],
  [
    'unreachable',
    'getaddrinfo ENOTFOUND no.such.host.invalid',
    fetchError('getaddrinfo ENOTFOUND no.such.host.invalid', 'ENOTFOUND'),
  ],
  [
    'serverGone',
    'The connection to the server was lost (read ECONNRESET).',
    fetchError('read ECONNRESET', 'ECONNRESET'),
  ],
  [
    'serverGone',
    'The connection to the server was lost (Premature close).',
    coded('Premature close', 'ERR_STREAM_PREMATURE_CLOSE'),
  ],
  [
    'serverGone',
    'The connection to the server was lost (other side closed).',
    caused(
      'RavenException',
      'Error processing command HttpCommand response: TypeError: terminated\n    at …: terminated: other side closed',
      caused('TypeError', 'terminated', coded('other side closed', 'UND_ERR_SOCKET')),
    ),
  ],
  [
    'unreachable',
    'connect ECONNREFUSED ::1:8080',
    caused('TypeError', 'fetch failed', several(coded('connect ECONNREFUSED ::1:8080', 'ECONNREFUSED'))),
  ],
  [
    'unreachable',
    'Response does not match the HTTP/1.1 protocol',
    caused('TypeError', 'fetch failed', named('HTTPParserError', 'Response does not match the HTTP/1.1 protocol')),
  ],
  ['unreachable', 'bad port', caused('TypeError', 'fetch failed', new Error('bad port'))],
  ['tls', 'self signed certificate', fetchError('self signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT')],
  [
    'tls',
    'write EPROTO 532:error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER:',
    fetchError('write EPROTO 532:error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER:\n', 'EPROTO'),
  ],
  [
    'tls',
    "Hostname/IP does not match certificate's altnames: Host: a",
    fetchError("Hostname/IP does not match certificate's altnames: Host: a", 'ERR_TLS_CERT_ALTNAME_INVALID'),
  ],
  ['cancelled', 'This operation was aborted', named('AbortError', 'This operation was aborted')],
];

test.each(fromSocket)('%s: %s', (kind, message, thrown) => {
  expect(toError(thrown)).toMatchObject({ kind, message });
});

test('our own errors stay what they are, and a defect is one', () => {
  expect(toError(new DynoError('notOurs', 'x'))).toMatchObject({ kind: 'notOurs' });
  expect(toError(new TypeError('x is not a function'))).toMatchObject({ kind: 'internal' });
  expect(toError('text')).toMatchObject({ kind: 'internal', message: 'text' });
});
