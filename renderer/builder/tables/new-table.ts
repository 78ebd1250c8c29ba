/** A new table: small, and valid without further columns. */
export const newTable = { rows: 1_000, key: 'id', columns: { id: { type: 'sequence' } } };
