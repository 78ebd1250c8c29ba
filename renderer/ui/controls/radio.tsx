import type { ReactNode } from 'react';
import { Radio as AriaRadio, RadioGroup as AriaRadioGroup } from 'react-aria-components/RadioGroup';

interface GroupProps {
  /** For screen readers, because a heading shows it. */
  readonly label: string;
  /** Null: nothing is chosen yet. */
  readonly value: string | null;
  readonly onChange: (value: string) => void;
  readonly children: ReactNode;
}

/** A choice of one among visible options, which are `Radio` elements inside. */
export const RadioGroup = ({ label, children, ...choice }: GroupProps) => (
  <AriaRadioGroup aria-label={label} {...choice}>
    {children}
  </AriaRadioGroup>
);

export const Radio = ({ value, children }: { readonly value: string; readonly children: ReactNode }) => (
  <AriaRadio className="checkbox" value={value}>
    <span className="radio-box" />
    <span>{children}</span>
  </AriaRadio>
);
