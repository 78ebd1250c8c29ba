/**
 * For benchmarks only: runs the parts that the arguments name (`npm run bench -- truth queues`), all where none is
 * named. Throws where there is no such part.
 */
export async function runParts(parts: Readonly<Record<string, () => Promise<void>>>): Promise<void> {
  const named = process.argv.slice(2);
  const unknown = named.filter((name) => parts[name] === undefined);
  if (unknown.length > 0) throw new Error(`No part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.`);
  for (const [name, run] of Object.entries(parts)) if (named.length === 0 || named.includes(name)) await run();
}
