/** Dyno's logo: a gauge with its needle. It is decorative. */
export const Gauge = () => (
  <svg
    className="gauge"
    width="22"
    height="22"
    viewBox="0 0 24 24"
    fill="none"
    strokeLinecap="round"
    aria-hidden="true"
  >
    <path d="M3.5 17a9 9 0 1 1 17 0" stroke="currentColor" strokeWidth="2.4" />
    <path className="gauge-needle" d="M12 15.5 17 8" strokeWidth="2.6" />
    <circle className="gauge-hub" cx="12" cy="16" r="2.2" />
  </svg>
);
