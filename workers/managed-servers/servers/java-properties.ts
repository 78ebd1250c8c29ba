/** The text of a Java properties file (java.util.Properties.load); escapes make unusual characters ASCII. */
export const propertiesText = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}\n`)
    .join('');

/** Properties whose names all have the same beginning. */
export const prefixed = (prefix: string, values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value]));

const escaped = (text: string): string =>
  text.replace(/[^\w.-]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
