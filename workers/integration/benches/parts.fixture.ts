/**
 * For benchmarks only: runs the parts named in the arguments (`npm run bench -- truth queues`), or all without
 * arguments. Throws for an unknown part.
 */
export async function runParts(parts: Readonly<Record<string, () => Promise<void>>>): Promise<void> {
  const named = process.argv.slice(2);
  const unknown = named.filter((name) => parts[name] === undefined);
  if (unknown.length > 0) throw new Error(`No part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.`);
  for (const [name, run] of Object.entries(parts)) if (named.length === 0 || named.includes(name)) await run();
}
