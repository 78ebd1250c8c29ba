import type { CSSProperties } from 'react';
import { hues } from '#model/hues.ts';
import { referenceIndex } from '#protocol/plan.ts';
import { useTheme } from '../state/theme.ts';
import { targetColour } from './chart-themes.ts';

/** The colour of a target in every chart. It is hollow if the target is neutral beside coloured targets. */
export const Swatch = ({ index }: { readonly index: number }) => {
  const colour = targetColour(index, useTheme());
  const isHollow = index >= hues && index < referenceIndex;
  const style: CSSProperties = { borderColor: colour, background: isHollow ? 'none' : colour };
  return <span className="swatch" style={style} aria-hidden="true" />;
};
