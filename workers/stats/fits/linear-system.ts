/**
 * Solves a small system of linear equations by Gauss–Jordan elimination with row exchange; null for a singular matrix.
 */
export function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] | null {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  const n = rows.length;
  for (let column = 0; column < n; column++) {
    let pivot = column;
    for (let row = column + 1; row < n; row++)
      if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row;
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    for (let row = 0; row < n; row++) {
      if (row === column) continue;
      const factor = rows[row]![column]! / rows[column]![column]!;
      for (let i = column; i <= n; i++) rows[row]![i]! -= factor * rows[column]![i]!;
    }
  }
  const solution = rows.map((row, i) => row[n]! / row[i]!);
  return solution.every(Number.isFinite) ? solution : null;
}
