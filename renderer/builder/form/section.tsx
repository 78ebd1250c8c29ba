import { type ReactNode, useId } from 'react';

interface Props {
  readonly title: string;
  readonly about?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export const Section = ({ title, about, actions, children }: Props) => {
  const id = useId();
  return (
    <section className="form-section" aria-labelledby={id}>
      <header className="form-section-head">
        <div>
          <h2 id={id}>{title}</h2>
          {about && <p className="faint">{about}</p>}
        </div>
        {actions}
      </header>
      {children}
    </section>
  );
};
