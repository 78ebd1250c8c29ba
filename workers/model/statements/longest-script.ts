/** The most characters of an SQL script that the window hands to Dyno at once. */
export const longestScript = 1_000_000;
