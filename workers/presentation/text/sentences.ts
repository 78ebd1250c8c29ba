/** The most targets that an answer names. It counts the others, and table and picture name them. */
export const mostTargets = 3;

/** Joins the sentences that are not empty. */
export const sentences = (...all: readonly string[]): string => all.filter((one) => one !== '').join(' ');
