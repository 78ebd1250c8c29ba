import type { ConfigField } from '#engine-api/config.ts';
import { caField, connectTimeoutField, secretHelp } from '#engine-api/server-fields.ts';

export const fields: readonly ConfigField[] = [
  {
    name: 'url',
    label: 'URL',
    kind: 'text',
    placeholder: 'http://localhost:8080',
    help: 'http:// or https://, as in the browser; a path is the database: https://a.example/bench?certificate=/path.pfx. Several nodes of a cluster with commas between them: the first one that answers is measured.',
  },
  {
    name: 'database',
    label: 'Database',
    kind: 'text',
    placeholder: 'dyno',
    help: 'Where Dyno keeps its collections; made where it is not there.',
  },
  {
    name: 'certificate',
    label: 'Client certificate',
    kind: 'text',
    help: 'For https: path of a PFX file, or of a PEM file with certificate and private key.',
  },
  {
    name: 'certificatePassword',
    label: 'Password of the certificate',
    kind: 'password',
    help: secretHelp,
  },
  {
    ...caField,
    help: 'PEM text, or the path of a PEM file: who signed the server’s certificate, where this machine does not know him.',
  },
  {
    name: 'verifyServer',
    label: 'Check the server’s certificate',
    kind: 'boolean',
    placeholder: 'true',
    help: 'false encrypts without checking whom Dyno talks to.',
    advanced: true,
  },
  connectTimeoutField(10_000),
];
