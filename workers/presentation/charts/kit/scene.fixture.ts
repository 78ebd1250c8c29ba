import type { Scene, Shape } from './scene.ts';

/** Returns all shapes of a drawing, including those within groups, for tests. */
export const shapesOf = ({ shapes }: Pick<Scene, 'shapes'>): readonly Shape[] =>
  shapes.flatMap((one) => [one, ...shapesOf({ shapes: one.inside.filter((inner) => typeof inner !== 'string') })]);
