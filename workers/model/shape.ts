/** The parts of a valibot schema that Dyno reads; no type of the library contains all of them. */
export interface Shape {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Shape>>;
  readonly wrapped?: Shape;
  readonly default?: unknown;
  readonly item?: Shape;
  readonly key?: Shape;
  readonly value?: Shape;
  readonly options?: readonly Shape[] | readonly string[];
  readonly literal?: unknown;
  readonly pipe?: readonly Shape[];
  readonly requirement?: unknown;
  readonly description?: string;
  readonly metadata?: unknown;
  readonly getter?: () => Shape;
}

// Every valibot schema has these members (its documented introspection); only the static type is wider.
/** Returns a valibot schema as a shape that Dyno can traverse. */
export const shapeOf = (schema: unknown): Shape => schema as Shape;

/** The shape of a key's value, whether or not the key is optional. */
export const valueShape = (shape: Shape): Shape =>
  shape.type === 'optional' && shape.wrapped ? valueShape(shape.wrapped) : shape;

/** The schema and the actions of a shape, with nested pipes flattened. */
export const partsOf = (shape: Shape): readonly Shape[] =>
  (shape.pipe ?? []).flatMap((part) => [part, ...partsOf(part)]);

/** The shapes allowed in one place: the options of unions and variants, without wrappers. */
export function alternatives(shape: Shape): readonly Shape[] {
  const bare = valueShape(shape);
  const { type, options = [], getter } = bare;
  if (getter) return alternatives(getter());
  if (type === 'union' || type === 'variant')
    return options.flatMap((option) => (typeof option === 'object' ? alternatives(option) : []));
  return [bare];
}

/** The shapes at the next step of a path: a position in a list, a key, or a name chosen by the user. */
export const stepInto = (shapes: readonly Shape[], step: string | number): readonly Shape[] =>
  shapes.flatMap(alternatives).flatMap((shape) => {
    const next = typeof step === 'number' ? shape.item : (shape.entries?.[step] ?? shape.value);
    return next ? [next] : [];
  });
