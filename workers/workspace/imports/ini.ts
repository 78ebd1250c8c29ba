/** One section of an INI file, with its settings in order. */
interface Section {
  readonly name: string;
  readonly settings: readonly (readonly [key: string, value: string])[];
  /** Lines that are neither a setting nor a comment, such as `!include`; without those that have no text. */
  readonly others: readonly string[];
}

/** Longer lines, and lines behind this many sections, were not written by a person. */
const mostLine = 8_192;
const mostSections = 2_000;

/** The lines of a text that are short enough for a person to have written them. */
export const linesOf = (text: string): readonly string[] => text.split('\n').filter(({ length }) => length <= mostLine);

/**
 * Parses sections, their `key=value` lines and lines without an equals sign. Lines that begin with # or ; are comments.
 * Lines before the first section have the name ''. Sections with equal names stay separate.
 */
export function readSections(text: string): readonly Section[] {
  const sections: { name: string; settings: [string, string][]; others: string[] }[] = [];
  let current = { name: '', settings: [] as [string, string][], others: [] as string[] };
  sections.push(current);
  for (const raw of linesOf(text)) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    if (line.startsWith('[') && line.endsWith(']')) {
      if (sections.length === mostSections) break;
      current = { name: line.slice(1, -1).trim(), settings: [], others: [] };
      sections.push(current);
      continue;
    }
    const at = line.indexOf('=');
    if (at > 0) current.settings.push([line.slice(0, at).trim(), line.slice(at + 1).trim()]);
    else current.others.push(line);
  }
  return sections;
}
