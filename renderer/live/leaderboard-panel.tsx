import { formatShort } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { targetColour } from '../charts/chart-themes.ts';
import { Swatch } from '../charts/swatch.tsx';
import { HelpButton } from '../help/help-button.tsx';
import { liveTopic } from '../help/help-store.ts';
import { useTheme } from '../state/theme.ts';
import { Panel } from '../ui/display/panel.tsx';
import type { Leaderboard, Place } from './leaderboard.ts';

interface RowProps {
  readonly place: Place;
  readonly unit: string;
}

const Row = ({ place, unit }: RowProps) => {
  const colour = targetColour(place.index, useTheme());
  const isSettled = place.done === place.planned;
  const bar = { width: `${place.share * 100}%`, borderColor: colour, '--bar': colour };
  return (
    <li className="board-row">
      <span className="board-label" title={place.label}>
        {place.label}
      </span>
      <span className="board-target" title={place.target}>
        <Swatch index={place.index} />
        <span>{place.target}</span>
      </span>
      <span className="board-track">
        <span className={isSettled && !place.clientBound ? 'board-bar' : 'board-bar board-bar-open'} style={bar} />
      </span>
      <span className="board-value num">
        <strong>{formatShort(place.value)}</strong> {place.value === null ? '' : unit}
      </span>
      <span className="board-note faint">
        {place.isReference
          ? 'reference'
          : place.clientBound
            ? 'client-bound: a lower limit'
            : place.planned === null
              ? many(place.done, 'repeat')
              : `${place.done} of ${place.planned}`}
      </span>
    </li>
  );
};

interface Props {
  readonly board: Leaderboard;
  readonly unit: string;
}

/** The cells by their throughput so far. The panel has the height of all planned cells from the beginning. */
export const LeaderboardPanel = ({ board, unit }: Props) => (
  <Panel
    label="Leaderboard so far"
    title="Leaderboard so far"
    about={`The mean of the repeats so far. Bars begin at zero, and are filled once all repeats of the variant have finished.${board.hidden > 0 ? ` ${board.hidden} more are not shown.` : ''}`}
    action={<HelpButton about="Leaderboard so far" topic={liveTopic} />}
  >
    <ol className="board">
      {board.places.map((place) => (
        <Row key={`${place.variant} ${place.target}`} place={place} unit={unit} />
      ))}
    </ol>
  </Panel>
);
