/** A server's answer about its identity; a value that it does not report is null, undefined or empty. */
type Answer = readonly (string | null | undefined)[];

/**
 * The answers of a server to queries of its identity. A query that it refuses or does not know gives nothing; the
 * others are sent all the same.
 */
export async function identitiesOf(questions: readonly (() => Promise<Answer>)[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const ask of questions) found.push(...(await ask().catch(() => [])).flatMap((one) => one || []));
  return found;
}
