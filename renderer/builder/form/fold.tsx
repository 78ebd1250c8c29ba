import { type ReactNode, useState } from 'react';

interface Props {
  readonly title: string;
  /** The subject of the fields, or how many of them are set. */
  readonly about: string;
  /** True if a field is set. The fields are shown as soon as one is set, and until the user hides them. */
  readonly isSet: boolean;
  readonly children: ReactNode;
}

/** Fields that few experiments need. */
export const Fold = ({ title, about, isSet, children }: Props) => {
  const [isOpen, setOpen] = useState(isSet);
  const [wasSet, setWasSet] = useState(isSet);
  if (isSet !== wasSet) {
    setWasSet(isSet);
    if (isSet) setOpen(true);
  }
  return (
    <details className="fold" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <strong>{title}</strong>
        <span className="faint">{about}</span>
      </summary>
      <div className="fold-content">{children}</div>
    </details>
  );
};
