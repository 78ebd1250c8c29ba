/**
 * The text of a Java properties file (java.util.Properties.load); escapes make every unusual character one of ASCII.
 */
export const propertiesText = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}\n`)
    .join('');

const escaped = (text: string): string =>
  text.replace(/[^\w.-]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
