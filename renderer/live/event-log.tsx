import { useRef } from 'react';
import { Panel } from '../ui/display/panel.tsx';
import { scrollable } from '../ui/display/scrollable.ts';
import { useSeen } from '../ui/display/when-seen.ts';
import type { LogLine } from './run-log.ts';

const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/**
 * The events of the run, newest first. Its height is fixed, and older events are scrolled to. It is filled once it is
 * visible, so that hundreds of lines do not delay the charts above it.
 */
export const EventLog = ({ lines }: { readonly lines: readonly LogLine[] }) => {
  const list = useRef<HTMLOListElement>(null);
  const isSeen = useSeen(list);
  return (
    <Panel label="Log of events" title="Log">
      <ol
        className="log"
        ref={(box) => {
          list.current = box;
          return scrollable(box);
        }}
      >
        {isSeen &&
          lines.toReversed().map((line) => (
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
