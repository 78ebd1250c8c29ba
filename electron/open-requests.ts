import { app } from 'electron';
import { type OpenWish, wishesOf } from './open-wishes.ts';

/**
 * The operating system's requests to open files or links: the arguments of this start and of later starts, which pass
 * them on and end, and macOS's own events. They may arrive before the window exists.
 */
export interface OpenRequests {
  /** Passes all requests, including earlier ones, to `open`. Called once for each start. */
  deliverTo(open: (wishes: readonly OpenWish[]) => void): void;
}

export function collectOpenRequests(): OpenRequests {
  let early: readonly OpenWish[] = wishesOf(process.argv.slice(1), process.cwd());
  let deliver = (wishes: readonly OpenWish[]): void => {
    early = [...early, ...wishes];
  };
  app.on('open-file', (event, file) => {
    event.preventDefault();
    deliver([{ file }]);
  });
  app.on('open-url', (event, link) => {
    event.preventDefault();
    deliver([{ link }]);
  });
  app.on('second-instance', (_event, args, workingFolder) => deliver(wishesOf(args.slice(1), workingFolder)));
  return {
    deliverTo(open) {
      deliver = open;
      open(early);
    },
  };
}
