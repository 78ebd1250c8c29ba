import * as v from 'valibot';
import type { SavedLoadHost } from '#model/load-hosts.ts';
import type { Ssh } from '#model/ssh.ts';

const text = v.pipe(v.string(), v.maxLength(2_000));

/** The shape of a way over SSH, from the window or a file; `sshProblems` has what its values may be. */
export const sshSchema = v.strictObject({
  host: text,
  user: v.exactOptional(text),
  port: v.exactOptional(v.number()),
  identityFile: v.exactOptional(text),
  jump: v.exactOptional(text),
}) satisfies v.GenericSchema<Ssh>;

/** The shape of a load host, from the window or its file; `loadHostProblems` has what its values may be. */
export const loadHostSchema = v.union([
  v.strictObject({ name: text, ssh: sshSchema }),
  v.strictObject({
    name: text,
    nats: text,
    credentials: v.exactOptional(text),
    ca: v.exactOptional(text),
    agent: text,
  }),
]) satisfies v.GenericSchema<SavedLoadHost>;
