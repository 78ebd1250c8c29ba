import * as v from 'valibot';
import type { SavedLoadHost } from '#model/load-hosts.ts';
import { sshSchema } from './tunnel-schemas.ts';

const text = v.pipe(v.string(), v.maxLength(2_000));

/** The shape of a load host, from the window or its file; `loadHostProblems` checks its values. */
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
