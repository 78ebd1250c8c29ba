/** A server's answer about its identity; a value that it does not report is null, undefined or empty. */
type Answer = readonly (string | null | undefined)[];

/**
 * The answers to questions of who a server is. A question that it refuses, or does not know, tells nothing; the others
 * are asked all the same.
 */
export async function identitiesOf(questions: readonly (() => Promise<Answer>)[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const ask of questions) found.push(...(await ask().catch(() => [])).flatMap((one) => one || []));
  return found;
}
