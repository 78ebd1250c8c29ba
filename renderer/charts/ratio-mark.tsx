import { drawRatioMark, ratioMarkClass, ratioMarkPx } from '#presentation/charts/kit/ratio-mark.ts';
import type { RatioMark as Mark } from '#presentation/tables/shared/panel-table.ts';
import { drawnShape } from './scene-image.tsx';

/** A ratio with its interval. It is decorative, because the numbers stand beside it. */
export const RatioMark = (mark: Mark) => (
  <svg className={ratioMarkClass(mark)} {...ratioMarkPx} aria-hidden="true">
    {drawRatioMark(mark).map(drawnShape)}
  </svg>
);
