import { hues } from '#model/hues.ts';
import { referenceIndex } from '#protocol/plan.ts';
import { useTheme } from '../state/theme.ts';
import { targetColour } from './chart-themes.ts';

/** The colour that a target has in every chart; hollow where it is neutral beside others that are. */
export const Swatch = ({ index }: { readonly index: number }) => {
  const style = { '--swatch': targetColour(index, useTheme()) };
  const isHollow = index >= hues && index < referenceIndex;
  return <span className={isHollow ? 'swatch swatch-hollow' : 'swatch'} style={style} aria-hidden="true" />;
};
