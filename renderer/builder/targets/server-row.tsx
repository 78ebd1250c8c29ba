import type { ReactNode } from 'react';
import { Swatch } from '../../charts/swatch.tsx';
import { Checkbox } from '../../ui/controls/fields.tsx';

interface Props {
  readonly name: string;
  readonly about: string;
  readonly isChosen: boolean;
  /** Decides its look in charts (PlannedTarget); null: it is not chosen, or not known before the file has no errors. */
  readonly look: number | null;
  readonly status: string;
  readonly isProduction?: boolean;
  /** Undefined: the row cannot be chosen, only removed. */
  readonly choose?: { readonly disabled: boolean; readonly onChange: (on: boolean) => void } | undefined;
  readonly action?: ReactNode;
  /** Below the row. */
  readonly children?: ReactNode;
}

/** A server in one line: its colour in charts, name, status, and what can be done with it. */
export const ServerRow = ({ name, about, isChosen, look, status, isProduction, choose, action, children }: Props) => (
  <li className="server-row">
    <span className="server-mark">{look !== null && <Swatch index={look} />}</span>
    {choose ? (
      <Checkbox checked={isChosen} disabled={choose.disabled} onChange={choose.onChange} label={name} />
    ) : (
      <span className="server-name">{name}</span>
    )}
    <span className="faint server-about" title={about}>
      {about}
    </span>
    <span className={isProduction ? 'production-badge server-status' : 'faint server-status'}>{status}</span>
    <span className="server-action">{action}</span>
    {children && <div className="server-more">{children}</div>}
  </li>
);
