/** The parameters that a run changes on a server of the user's. */
export interface ServerChange {
  readonly connection: string;
  readonly parameters: readonly { readonly name: string; readonly values: readonly string[] }[];
}

/** A change with the server's present values, for the question that asks the user to allow the change. */
export interface ServerToChange extends ServerChange {
  readonly address: string;
  /** The values that the server has now, by parameter; null: it has no such parameter. */
  readonly now: Readonly<Record<string, string | null>>;
}

/** A change as a phrase: "work_mem (8MB or 64MB)". */
export const formatChange = ({ name, values }: ServerChange['parameters'][number]): string =>
  `${name} (${values.join(' or ')})`;
