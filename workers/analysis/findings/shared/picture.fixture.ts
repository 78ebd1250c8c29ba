import type { Outcome } from './finding.ts';

/**
 * The picture of an outcome on one line: its title, then each mark, tree or row with its text. Empty without a picture.
 */
export function pictureText(outcome: Outcome | undefined): string {
  const picture = outcome?.status === 'shown' ? outcome.picture : null;
  switch (picture?.kind) {
    case undefined:
      return '';
    case 'parts':
    case 'bars':
      return `${picture.title}: ${picture.marks.map(({ label, text }) => `${label} ${text}`).join(', ')}`;
    case 'series':
      return `${picture.title} over ${picture.over}: ${picture.marks.map(({ label }) => label).join(', ')}`;
    case 'trees':
      return `${picture.title}: ${picture.trees
        .map(
          ({ label, lines }) =>
            `${label}: ${lines.map((line) => (line.isMarked ? `*${line.text}` : line.text)).join(', ')}`,
        )
        .join('; ')}`;
    case 'words':
      return `${picture.title}: ${picture.rows.map(({ label, cells }) => `${label}: ${cells.join(', ')}`).join('; ')}`;
  }
}
