import type { ReactNode } from 'react';
import { Icon } from '../icon.tsx';

interface Props {
  readonly tone: 'info' | 'warning' | 'error';
  readonly title: string;
  readonly children?: ReactNode;
}

const words = { info: 'Note', warning: 'Warning', error: 'Error' } as const;

export const Notice = ({ tone, title, children }: Props) => (
  <div className={`notice notice-${tone}`}>
    <Icon name={tone} />
    <div>
      <strong>
        <span className="visually-hidden">{words[tone]}: </span>
        {title}
      </strong>
      {children && <div className="notice-text">{children}</div>}
    </div>
  </div>
);
