/** A list of values or placeholders in parentheses, without texts and function calls. */
const row = String.raw`\([^()'"]*\)`;
/** The rest of a list that is cut off with an ellipsis. */
const cutOff = String.raw`, \([^()'"]*…$`;
const manyRows = new RegExp(`(${row}), (${row})((?:, ${row}){3,})(${cutOff})?`, 'g');

/**
 * A statement in which a long list of rows ends after two: "VALUES (?1, ?2), (?3, ?4), … 498 more". There is no number
 * if the statement is cut off. Rows that contain texts or function calls stay as they are.
 */
export const shortenedRows = (statement: string): string =>
  statement.replace(
    manyRows,
    (_, first: string, second: string, others: string, cut: string | undefined) =>
      `${first}, ${second}, …${cut === undefined ? ` ${others.match(new RegExp(row, 'g'))!.length} more` : ''}`,
  );
