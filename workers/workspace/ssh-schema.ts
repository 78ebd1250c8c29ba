import * as v from 'valibot';
import type { Ssh } from '#model/ssh.ts';

const text = v.pipe(v.string(), v.maxLength(2_000));

/** The shape of an SSH server, from the window or a file; `sshProblems` has what its values may be. */
export const sshSchema = v.strictObject({
  host: text,
  user: v.exactOptional(text),
  port: v.exactOptional(v.number()),
  identityFile: v.exactOptional(text),
  jump: v.exactOptional(text),
}) satisfies v.GenericSchema<Ssh>;
