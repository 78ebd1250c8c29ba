/** Joins the sentences that are not empty. */
export const sentences = (...all: readonly string[]): string => all.filter((one) => one !== '').join(' ');
