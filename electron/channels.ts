import type { Channel, EventName } from '#protocol/ipc.ts';

// Channel names as values. `satisfies` makes a missing or unknown name a compile error.
const channelSet = {
  'app:info': true,
  'app:unsaved': true,
  'experiments:list': true,
  'experiments:gallery': true,
  'experiments:read': true,
  'experiments:save': true,
  'experiments:delete': true,
  'experiments:restore': true,
  'experiments:import': true,
  'experiments:export': true,
  'experiments:check': true,
  'experiments:preview': true,
  'experiments:trust': true,
  'statements:try': true,
  'statements:tables': true,
  'statements:cancel': true,
  'files:opened': true,
  'files:choose': true,
  'files:recent': true,
  'files:reopen': true,
  'drafts:keep': true,
  'drafts:list': true,
  'runs:list': true,
  'runs:experiment': true,
  'runs:start': true,
  'runs:resume': true,
  'runs:pause': true,
  'runs:cancel': true,
  'runs:endAll': true,
  'runs:watch': true,
  'runs:taken': true,
  'runs:unwatch': true,
  'runs:annotate': true,
  'runs:delete': true,
  'runs:restore': true,
  'runs:import': true,
  'runs:exportReport': true,
  'runs:openReport': true,
  'runs:exportJournal': true,
  'connections:list': true,
  'connections:readUrl': true,
  'connections:findImports': true,
  'connections:import': true,
  'connections:forgetImports': true,
  'connections:judge': true,
  'connections:save': true,
  'connections:remember': true,
  'connections:duplicate': true,
  'connections:delete': true,
  'connections:restore': true,
  'connections:test': true,
  'connections:clean': true,
  'connections:cancelTest': true,
  'servers:missing': true,
  'servers:install': true,
  'servers:cancelInstall': true,
  'files:save': true,
} satisfies Record<Channel, true>;

const eventSet = {
  'run:records': true,
  'run:progress': true,
  'connections:changed': true,
  'connection:tested': true,
  'server:installing': true,
  'library:changed': true,
  'files:changed': true,
  'run:chosen': true,
  'runs:changed': true,
  'menu:command': true,
} satisfies Record<EventName, true>;

export const channels = Object.keys(channelSet) as readonly Channel[];
export const events = Object.keys(eventSet) as readonly EventName[];

/**
 * The request of `window.dyno.openDropped`, outside of the page's channels: the preload script finds the paths of
 * dropped files, so that the page can neither read nor choose one.
 */
export const droppedChannel = 'files:drop';
