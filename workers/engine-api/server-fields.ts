import type { ConfigField, LocalUse } from './config.ts';

/**
 * Fields with the same meaning for the servers of several engines; each engine chooses their positions among its own
 * fields.
 */

/** Fields of these kinds hold no path, no library and no choice of a login. */
type PlainKind = 'number' | 'password';
type More = Omit<ConfigField, 'kind' | 'name' | 'label' | 'localUse'>;
type Use = Pick<ConfigField, 'localUse'>;

/**
 * A field of an engine's connection form; `more` has all that differs from the defaults. Fields other than numbers and
 * passwords must declare their use of this machine.
 */
export const field: {
  (kind: PlainKind, name: string, label: string, more?: More): ConfigField;
  (kind: Exclude<ConfigField['kind'], PlainKind>, name: string, label: string, more: More & Use): ConfigField;
} = (kind: ConfigField['kind'], name: string, label: string, more: More & Partial<Use> = {}): ConfigField => ({
  name,
  label,
  kind,
  localUse: 'plain',
  ...more,
});

/** The use of a field that takes the path of a file, or PEM text, which names no file. */
const readsPemFile: readonly LocalUse[] = [
  { kind: 'file', does: 'is a file that Dyno reads', values: '^(?![\\s\\S]*-----BEGIN)' },
];

/** The use of a field that takes the path of a file. */
export const readsFile: readonly LocalUse[] = [{ kind: 'file', does: 'is a file that Dyno reads' }];

/** The use of a host that is a Unix socket. `values`: a regular expression of such hosts. */
export const reachesSocket = (values: string): readonly LocalUse[] => [
  { kind: 'identity', does: 'is a socket of this machine, whose server may log you in by your account', values },
];

/** The help of fields that hold a secret. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: how experiment files write it
export const secretHelp = 'In experiment files only as ${env:NAME}.';

/** The field `port`; the form shows `defaultValue` while the field is empty. */
export const portField = (defaultValue: string): ConfigField =>
  field('number', 'port', 'Port', { placeholder: defaultValue, min: 1, max: 65_535 });

/** The field `password`, a secret. */
export const passwordField: ConfigField = field('password', 'password', 'Password', { help: secretHelp });

/**
 * Values of the field `ssl`, named as libpq's `sslmode`: no TLS, TLS with any certificate, TLS with a verified
 * certificate and host name.
 */
export const tlsModes = ['disable', 'require', 'verify-full'] as const;
/** One value of the field `ssl`. */
export type TlsMode = (typeof tlsModes)[number];

/** The field `ssl`; default: disable. */
export const tlsField: ConfigField = field('choice', 'ssl', 'TLS', {
  choices: tlsModes,
  placeholder: 'disable',
  help: 'require encrypts without checking the certificate; verify-full checks certificate and host name.',
  localUse: 'plain',
});

/** The field `ca`: certificate authorities that verify-full trusts. */
export const caField: ConfigField = field('text', 'ca', 'CA certificate', {
  help: 'PEM text, or the path of a PEM file; for verify-full.',
  localUse: readsPemFile,
});

/** The fields `cert`, `key` and `keyPassword`: the client's identity, shown to the server over TLS. */
export const clientCertificateFields: readonly ConfigField[] = [
  field('text', 'cert', 'Client certificate', {
    help: 'Path of a PEM file with the certificate, and its chain, that tells the server who you are; needs TLS.',
    localUse: readsPemFile,
    advanced: true,
  }),
  field('text', 'key', 'Private key', {
    help: 'Path of a PEM file with the certificate’s key.',
    localUse: readsFile,
    advanced: true,
  }),
  field('password', 'keyPassword', 'Password of the private key', { help: secretHelp, advanced: true }),
];

/** The field `connectTimeoutMs`, in ms; the form shows `byDefaultMs` while the field is empty. */
export const connectTimeoutField = (byDefaultMs: number): ConfigField =>
  field('number', 'connectTimeoutMs', 'Connect time-out (ms)', {
    placeholder: String(byDefaultMs),
    min: 1,
    max: 3_600_000,
    advanced: true,
  });
