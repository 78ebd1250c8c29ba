import * as v from 'valibot';

/** The orders that an agent started over SSH reads from its standard input, as one line of JSON. */
export const stdinOrdersSchema = v.object({
  url: v.string(),
  user: v.object({ user: v.string(), password: v.string() }),
  /** The coordinator's public key. */
  trust: v.string(),
});
export type StdinOrders = v.InferOutput<typeof stdinOrdersSchema>;
