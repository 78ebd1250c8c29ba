/**
 * The parts that `npm test` leaves out because they cannot run here, after it has said why: ids of engines without a
 * server, names of built-in targets that cannot be started (tests that need a server of their own ask for these), and
 * tools. A run of vitest alone leaves out nothing.
 */
const skipped = (process.env.DYNO_SKIP ?? '').split(',');

export const isSkipped = (name: string): boolean => skipped.includes(name);
