import type { EventName } from '#protocol/ipc.ts';
import { argumentSchemas, type Channel } from '#protocol/ipc-arguments.ts';

// `satisfies` makes a missing or unknown name a compile error.
const eventSet = {
  'run:records': true,
  'run:progress': true,
  'run:advising': true,
  'connections:changed': true,
  'connection:tested': true,
  'hosts:changed': true,
  'host:tested': true,
  'server:installing': true,
  'library:changed': true,
  'files:changed': true,
  'run:chosen': true,
  'runs:changed': true,
  'menu:command': true,
} satisfies Record<EventName, true>;

export const channels = Object.keys(argumentSchemas) as readonly Channel[];
export const events = Object.keys(eventSet) as readonly EventName[];

/**
 * The request of `window.dyno.openDropped`, outside of the page's channels: the preload script finds the paths of
 * dropped files, so that the page can neither read nor choose one.
 */
export const droppedChannel = 'files:drop';
