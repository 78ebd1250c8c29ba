import type { ReactNode } from 'react';
import { Swatch } from '../../charts/swatch.tsx';
import { Checkbox } from '../../ui/controls/fields.tsx';

interface Props {
  readonly name: string;
  readonly about: string;
  readonly isChosen: boolean;
  /**
   * The index that determines its look in charts (PlannedTarget). Null if the target is not chosen, or not known while
   * the file has errors.
   */
  readonly look: number | null;
  readonly status: string;
  readonly isProduction?: boolean;
  /** Chooses the row. Undefined if the row can only be removed. */
  readonly choose?: { readonly disabled: boolean; readonly onChange: (on: boolean) => void } | undefined;
  readonly action?: ReactNode;
  /** The content below the row. */
  readonly children?: ReactNode;
}

/** A server on one line: its colour in charts, name, status and actions. */
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
