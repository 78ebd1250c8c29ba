import { ProgressBar as AriaProgressBar } from 'react-aria-components/ProgressBar';

interface Props {
  readonly label: string;
  /** 0…1, or null while unknown. */
  readonly fraction: number | null;
}

export const ProgressBar = ({ label, fraction }: Props) => (
  <AriaProgressBar
    className="progress"
    aria-label={label}
    isIndeterminate={fraction === null}
    value={(fraction ?? 0) * 100}
  >
    {({ percentage }) => (
      <div className="progress-track">
        {fraction === null ? (
          // The bar without a known fraction is a separate element, because otherwise the first fraction would animate
          // backwards.
          <div key="unknown" className="progress-fill progress-unknown" />
        ) : (
          <div key="known" className="progress-fill" style={{ width: `${percentage ?? 0}%` }} />
        )}
      </div>
    )}
  </AriaProgressBar>
);
