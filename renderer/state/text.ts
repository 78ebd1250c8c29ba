/** The words of this folder, by the file that shows them: texts, and functions where a text holds numbers or names. */
export const texts = {
  appInfo: {
    couldNotAskTheApp: 'Could not ask the app about itself',
  },
  connections: {
    couldNotListTheConnections: 'Could not list the connections',
  },
  loadHosts: {
    couldNotListTheLoadHosts: 'Could not list the load hosts',
    couldNotReadTheKey: 'Could not read the key of this coordinator',
  },
  liveRun: {
    showIt: 'Show it',
  },
  runs: {
    couldNotListTheRuns: 'Could not list the runs',
  },
  undoToasts: {
    undo: 'Undo',
    couldNotBringItBack: 'Could not bring it back',
    unsavedChangesWereSetAside: 'Unsaved changes were set aside',
    bringBack: 'Bring back',
  },
} as const;
