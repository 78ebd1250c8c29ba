/** The text with a small letter at its beginning, to continue a sentence. */
export const clause = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1);

/** The text with a capital letter at its beginning. */
export const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
