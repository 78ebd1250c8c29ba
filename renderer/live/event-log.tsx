import { Panel } from '../ui/display/panel.tsx';
import { scrollable } from '../ui/display/scrollable.ts';
import type { LogLine } from './run-log.ts';
import { texts } from './text.ts';

const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** Events of the run, newest first. Its height never changes: what is older is scrolled to. */
export const EventLog = ({ lines }: { readonly lines: readonly LogLine[] }) => (
  <Panel label={texts.eventLog.logOfEvents} title={texts.eventLog.log}>
    <ol className="log" ref={scrollable}>
      {lines.toReversed().map((line) => (
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
