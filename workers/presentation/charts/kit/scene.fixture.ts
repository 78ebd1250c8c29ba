import type { Scene, Shape } from './scene.ts';

/** For tests only: all shapes of a drawing, those within groups included. */
export const shapesOf = ({ shapes }: Pick<Scene, 'shapes'>): readonly Shape[] =>
  shapes.flatMap((one) => [one, ...shapesOf({ shapes: one.inside.filter((inner) => typeof inner !== 'string') })]);
