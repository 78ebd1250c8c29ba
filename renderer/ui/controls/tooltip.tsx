import type { ReactNode } from 'react';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';

/** A tooltip on a focusable control. */
export const Hint = ({ text, children }: { readonly text: string; readonly children: ReactNode }) => (
  <TooltipTrigger delay={500} closeDelay={0}>
    {children}
    <Tooltip className="tooltip" offset={6}>
      {text}
    </Tooltip>
  </TooltipTrigger>
);
