import type { ConfigField } from './config.ts';

/**
 * Fields with the same meaning for the servers of several engines; each engine chooses their positions among its own
 * fields.
 */

/** A field of an engine's connection form; `more`: what is not default in it. */
export const field = (
  kind: ConfigField['kind'],
  name: string,
  label: string,
  more: Omit<ConfigField, 'kind' | 'name' | 'label'> = {},
): ConfigField => ({ name, label, kind, ...more });

/** The help of fields that hold a secret. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: how experiment files write it
export const secretHelp = 'In experiment files only as ${env:NAME}.';

/** The field `port`; the form shows `defaultValue` while the field is empty. */
export const portField = (defaultValue: string): ConfigField =>
  field('number', 'port', 'Port', { placeholder: defaultValue, min: 1, max: 65_535 });

/** The field `password`, a secret. */
export const passwordField: ConfigField = field('password', 'password', 'Password', { help: secretHelp });

/**
 * Values of the field `ssl`, as libpq's `sslmode` names them: no TLS, TLS with any certificate, TLS with a verified
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
});

/** The field `ca`: certificate authorities that verify-full trusts. */
export const caField: ConfigField = field('text', 'ca', 'CA certificate', {
  help: 'PEM text, or the path of a PEM file; for verify-full.',
});

/** The fields `cert`, `key` and `keyPassword`: who the client is, shown to the server over TLS. */
export const clientCertificateFields: readonly ConfigField[] = [
  field('text', 'cert', 'Client certificate', {
    help: 'Path of a PEM file with the certificate, and its chain, that tells the server who you are; needs TLS.',
    advanced: true,
  }),
  field('text', 'key', 'Private key', { help: 'Path of a PEM file with the certificate’s key.', advanced: true }),
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
