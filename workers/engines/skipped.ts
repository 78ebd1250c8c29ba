/** Engines whose tests `npm test` leaves out because they cannot run here; it has said why. A run of vitest alone leaves out nothing. */
const skipped = (process.env.DYNO_SKIP ?? '').split(',');

export const isSkipped = (engine: string): boolean => skipped.includes(engine);
