import { useTheme } from '../state/theme.ts';
import { targetColour } from './chart-themes.ts';

/** The colour that a target has in every chart. */
export const Swatch = ({ index }: { readonly index: number }) => {
  const theme = useTheme();
  return <span className="swatch" style={{ background: targetColour(index, theme) }} aria-hidden="true" />;
};
