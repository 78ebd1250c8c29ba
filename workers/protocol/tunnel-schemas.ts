import * as v from 'valibot';
import type { Socks } from '#model/socks.ts';
import type { Ssh } from '#model/ssh.ts';

const text = v.pipe(v.string(), v.maxLength(2_000));

/** The shape of an SSH server, from the window or a file; `sshProblems` checks its values. */
export const sshSchema = v.strictObject({
  host: text,
  user: v.exactOptional(text),
  port: v.exactOptional(v.number()),
  identityFile: v.exactOptional(text),
  jump: v.exactOptional(text),
}) satisfies v.GenericSchema<Ssh>;

/** The shape of a SOCKS proxy, from the window or a file; `socksProblems` checks its values. */
export const socksSchema = v.strictObject({
  host: text,
  port: v.exactOptional(v.number()),
  user: v.exactOptional(text),
  password: v.exactOptional(text),
}) satisfies v.GenericSchema<Socks>;
