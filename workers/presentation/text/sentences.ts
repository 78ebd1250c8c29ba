/** The sentences that are not empty, one after the other. */
export const sentences = (...all: readonly string[]): string => all.filter((one) => one !== '').join(' ');
