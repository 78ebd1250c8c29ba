import type { RunModel } from '#analysis/run-model/run-model.ts';
import { type Baseline, baselineOf } from '#planning/rates/baseline.ts';
import { sceneText } from '../kit/scene.ts';
import { lightTheme } from '../kit/theme.ts';
import { drawPicture, pictureData, pictureText } from './draw-picture.ts';
import { fittingOptions, type PictureOptions } from './picture-options.ts';
import { pictureTable } from './picture-table.ts';

interface Shown {
  readonly options?: Partial<PictureOptions>;
  readonly baseline?: Baseline;
  readonly widthPx?: number;
  readonly highlighted?: string;
}

/** Draws the picture of a run with its default options, except for these, for tests. */
export function pictureOf(
  run: RunModel,
  { options: changed = {}, baseline = baselineOf(run), widthPx = 1_000, highlighted }: Shown = {},
) {
  const options = { ...fittingOptions(run, baseline), ...changed };
  const input = { run, shown: run, baseline, options, theme: lightTheme, widthPx, highlighted: highlighted ?? null };
  const data = pictureData(input);
  const scene = drawPicture(data, input);
  return {
    scene,
    svg: scene === null ? '' : sceneText(scene),
    note: pictureText(input),
    table: pictureTable(run, data, baseline, options),
  };
}
