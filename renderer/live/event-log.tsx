import { useState } from 'react';
import { Panel } from '../ui/display/panel.tsx';
import type { LogLine } from './run-log.ts';

const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const collapsed = 12;

/** Events of the run, newest first. */
export const EventLog = ({ lines }: { readonly lines: readonly LogLine[] }) => {
  const [all, setAll] = useState(false);
  const shown = lines.toReversed().slice(0, all ? lines.length : collapsed);
  return (
    <Panel
      label="Log of events"
      title="Log"
      action={
        lines.length > collapsed && (
          <button type="button" className="button button-quiet" onClick={() => setAll(!all)}>
            {all ? 'Newest only' : `All ${lines.length}`}
          </button>
        )
      }
    >
      <ol className="log">
        {shown.map((line) => (
          <li key={`${line.at} ${line.text}`} className={line.tone === 'bad' ? 'log-line bad' : 'log-line'}>
            {line.at === null ? (
              <span className="faint">–</span>
            ) : (
              <time dateTime={line.at} className="faint">
                {timeFormat.format(new Date(line.at))}
              </time>
            )}
            <span>{line.text}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
};
