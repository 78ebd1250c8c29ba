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
        <div
          className={fraction === null ? 'progress-fill progress-unknown' : 'progress-fill'}
          style={fraction === null ? {} : { width: `${percentage ?? 0}%` }}
        />
      </div>
    )}
  </AriaProgressBar>
);
