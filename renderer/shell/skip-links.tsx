import { focusOn } from './focus-on.ts';

const skips = [
  { label: 'Skip to the page', to: 'main' },
  { label: 'Skip to the first chart', to: 'main :is(section.chart, [data-chart])' },
] as const;

/** The first tab stops of the window, which are visible when focused. They skip the rail and the head. */
export const SkipLinks = () => (
  <div className="skip-links">
    {skips.map(({ label, to }) => (
      <button key={to} type="button" className="skip-link" onClick={() => focusOn(to)}>
        {label}
      </button>
    ))}
  </div>
);
