import { createElement, type ReactNode } from 'react';
import type { Scene, Shape } from '#presentation/charts/kit/scene.ts';

/** A drawing without interaction. */
export const SceneImage = ({ label, widthPx, heightPx, font, shapes }: Scene) => (
  <svg
    className="picture-svg scene-image"
    viewBox={`0 0 ${widthPx} ${heightPx}`}
    width={widthPx}
    height={heightPx}
    role="img"
    aria-label={label}
    fontFamily={font}
  >
    {shapes.map(drawnShape)}
  </svg>
);

/** Shapes have no identity except their position. */
export const drawnShape = (shape: Shape | string, key: number): ReactNode =>
  typeof shape === 'string'
    ? shape
    : createElement(shape.tag, { key, ...shape.attributes }, ...shape.inside.map(drawnShape));
