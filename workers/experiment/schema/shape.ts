/** The parts of a valibot schema that the checks here read; no type of the library has all of them. */
export interface Shape {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Shape>>;
  readonly wrapped?: Shape;
  readonly item?: Shape;
  readonly key?: Shape;
  readonly value?: Shape;
  readonly options?: readonly Shape[] | readonly string[];
  readonly literal?: unknown;
  readonly pipe?: readonly Shape[];
  readonly requirement?: unknown;
  readonly getter?: () => Shape;
}

// Every valibot schema has these members (its documented introspection); only the static type is wider.
/** Views a valibot schema as the shape that the checks walk through. */
export const shapeOf = (schema: unknown): Shape => schema as Shape;
