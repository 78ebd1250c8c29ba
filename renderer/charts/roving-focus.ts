import { type KeyboardEvent, useState } from 'react';

/** The rows and columns by which each arrow key moves. */
const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** The attributes of a cell in the group. */
interface CellProps {
  readonly 'data-at': string;
  readonly tabIndex: 0 | -1;
  readonly onFocus: () => void;
}

/**
 * Makes all cells of a picture one tab stop. Arrow keys move among them, and Home and End move to the ends of a row.
 * `columns` has the number of cells per row; `onEnter` opens the focused cell.
 */
export function useRovingFocus(columns: readonly number[], onEnter: (row: number, column: number) => void) {
  const [active, setActive] = useState<readonly [number, number]>([0, 0]);
  const row = Math.min(active[0], Math.max(0, columns.length - 1));
  const column = Math.min(active[1], Math.max(0, (columns[row] ?? 1) - 1));
  const onKeyDown = (event: KeyboardEvent<Element>) => {
    const move = (toRow: number, toColumn: number) => {
      const next = Math.min(Math.max(0, toRow), columns.length - 1);
      const at = `${next}:${Math.min(Math.max(0, toColumn), (columns[next] ?? 1) - 1)}`;
      event.preventDefault();
      event.currentTarget.querySelector<HTMLElement>(`[data-at="${at}"]`)?.focus();
    };
    const step = steps[event.key];
    if (step !== undefined) move(row + step[0], column + step[1]);
    else if (event.key === 'Home') move(row, 0);
    else if (event.key === 'End') move(row, Number.MAX_SAFE_INTEGER);
    else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onEnter(row, column);
    }
  };
  const cell = (atRow: number, atColumn: number): CellProps => ({
    'data-at': `${atRow}:${atColumn}`,
    tabIndex: atRow === row && atColumn === column ? 0 : -1,
    onFocus: () => setActive([atRow, atColumn]),
  });
  return { onKeyDown, cell };
}
