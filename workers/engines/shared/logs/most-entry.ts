/** The most characters of an entry of a log file. The rest of a longer entry is left out, and the entry is cut. */
export const mostEntry = 16 * 1_024 * 1_024;
