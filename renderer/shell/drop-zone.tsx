import { useEffect, useState } from 'react';
import { openDropped } from './opened-things.ts';

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** Accepts files that are dropped anywhere onto the window, and shows a hint while they are dragged. */
export const DropZone = () => {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    // The browser sends enter and leave events for every element under the pointer.
    let depth = 0;
    const stopped = (event: DragEvent) => {
      event.preventDefault();
      // Otherwise the editor would insert the text of the file.
      event.stopPropagation();
    };
    const over = (change: number) => {
      depth = Math.max(0, depth + change);
      setOver(depth > 0);
    };
    const handlers = {
      dragenter: () => over(1),
      dragover: () => {},
      dragleave: () => over(-1),
      drop(event: DragEvent) {
        depth = 0;
        setOver(false);
        void openDropped([...(event.dataTransfer?.files ?? [])]);
      },
    } satisfies Record<string, (event: DragEvent) => void>;
    const listeners = Object.entries(handlers).map(([name, handle]) => {
      const listener = (event: Event) => {
        if (!(event instanceof DragEvent) || !hasFiles(event)) return;
        stopped(event);
        handle(event);
      };
      window.addEventListener(name, listener, { capture: true });
      return () => window.removeEventListener(name, listener, { capture: true });
    });
    return () => {
      for (const off of listeners) off();
    };
  }, []);
  return (
    isOver && (
      <div className="drop-zone" aria-hidden="true">
        <div>
          <h2>Drop to open</h2>
          <p>
            Experiments (.dyno.yaml), runs (.dyno-run), SQL scripts (.sql) and values (.csv). Dropping a file runs
            nothing.
          </p>
        </div>
      </div>
    )
  );
};
