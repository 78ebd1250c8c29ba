import { oneLine } from '#model/text/printable.ts';

const entity = (char: string): string => `&#${char.charCodeAt(0)};`;
/** Invisible, so that GitHub and GitLab find no name, number or address in the text that they show. */
const wordJoiner = entity('\u2060');

/**
 * A name, value or message as plain text within Markdown, on one line. No character of it is Markdown or HTML, begins a
 * link, or mentions a user, an issue or an emoji.
 */
export const markdownText = (text: string): string =>
  oneLine(text)
    .replaceAll(/[$*<>[\\\]`{|}~]|&(?=[#\w])/g, entity)
    // Within a word, an underscore is no emphasis.
    .replaceAll(/(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu, (marks) => '\\_'.repeat(marks.length))
    // The `#` of an entity follows an ampersand.
    .replaceAll(/(?<!&)[!#@](?=\w)|:(?=[/\w])(?!\d)/g, (char) => entity(char) + wordJoiner)
    .replaceAll(/www\./gi, (word) => word.replace('.', entity('.')))
    .replace(/^[-+=#:]/, entity)
    .replace(/^(\d+)([.)])(?=\s|$)/, (_, digits: string, mark: string) => digits + entity(mark));
