/** Markdown tables by their headers, and their rows by the first cell. */
function readTables(text: string): Map<string, ReadonlyMap<string, string>> {
  const blocks = text.split(/\n{2,}/).map((block) => block.split('\n').filter((line) => line.startsWith('|')));
  return new Map(
    blocks
      .filter((lines) => lines.length > 0)
      .map(([head, rule, ...rows]) => [`${head}\n${rule}`, new Map(rows.map((row) => [row.split(' | ')[0]!, row]))]),
  );
}

/** The tables of both texts: newly measured rows replace the old ones, and the other rows stay. */
export function mergeTables(old: string, fresh: string): string {
  const tables = readTables(old);
  for (const [head, rows] of readTables(fresh)) tables.set(head, new Map([...(tables.get(head) ?? []), ...rows]));
  return [...tables].map(([head, rows]) => [head, ...rows.values()].join('\n')).join('\n\n');
}
