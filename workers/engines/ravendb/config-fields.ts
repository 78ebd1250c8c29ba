import type { ConfigField } from '#engine-api/config.ts';
import { caField, connectTimeoutField, field, readsFile, secretHelp } from '#engine-api/server-fields.ts';

export const fields: readonly ConfigField[] = [
  field('text', 'url', 'URL', {
    placeholder: 'http://localhost:8080',
    help: 'http:// or https://, as in the browser; a path is the database: https://a.example/bench?certificate=/path.pfx. Several nodes of a cluster with commas between them: the first one that answers is measured.',
    localUse: 'plain',
  }),
  field('text', 'database', 'Database', {
    placeholder: 'dyno',
    help: 'Where Dyno keeps its collections; made where it is not there.',
    localUse: 'plain',
  }),
  field('text', 'certificate', 'Client certificate', {
    help: 'For https: path of a PFX file, or of a PEM file with certificate and private key.',
    localUse: readsFile,
  }),
  field('password', 'certificatePassword', 'Password of the certificate', { help: secretHelp }),
  {
    ...caField,
    help: 'PEM text, or the path of a PEM file: who signed the server’s certificate, where this machine does not know him.',
  },
  field('boolean', 'verifyServer', 'Check the server’s certificate', {
    placeholder: 'true',
    help: 'false encrypts without checking whom Dyno talks to.',
    advanced: true,
    localUse: 'plain',
  }),
  connectTimeoutField(10_000),
];
