/** The text with a capital letter at its beginning. */
export const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
