import type { ConfigField } from './config.ts';

/**
 * Fields that mean the same for the servers of several engines; an engine puts them where they belong among its own.
 */

// biome-ignore lint/suspicious/noTemplateCurlyInString: how experiment files write it
export const secretHelp = 'In experiment files only as ${env:NAME}.';

/** `defaultValue`: as shown where nothing is given. */
export const portField = (defaultValue: string): ConfigField => ({
  name: 'port',
  label: 'Port',
  kind: 'number',
  placeholder: defaultValue,
  min: 1,
  max: 65_535,
});

export const passwordField: ConfigField = { name: 'password', label: 'Password', kind: 'password', help: secretHelp };

export const tlsModes = ['disable', 'require', 'verify-full'] as const;
export type TlsMode = (typeof tlsModes)[number];

export const tlsField: ConfigField = {
  name: 'ssl',
  label: 'TLS',
  kind: 'choice',
  choices: tlsModes,
  placeholder: 'disable',
  help: 'require encrypts without checking the certificate; verify-full checks certificate and host name.',
};

export const caField: ConfigField = {
  name: 'ca',
  label: 'CA certificate',
  kind: 'text',
  help: 'PEM text, or the path of a PEM file; for verify-full.',
};

export const connectTimeoutField = (byDefaultMs: number): ConfigField => ({
  name: 'connectTimeoutMs',
  label: 'Connect time-out (ms)',
  kind: 'number',
  placeholder: String(byDefaultMs),
  min: 1,
  max: 3_600_000,
  advanced: true,
});
