import { app } from 'electron';
import { type OpenWish, wishesOf } from './open-wishes.ts';

/**
 * The system's requests to open something: the arguments of this start and of later ones, which have ended in favour of
 * this one, and on macOS its own events. They may come before there is a window.
 */
export interface OpenRequests {
  /** Gives every request to `open` from now on, also those that have come before. Called once for each start. */
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
