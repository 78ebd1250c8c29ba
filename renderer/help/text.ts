/** The words of this folder, by the file that shows them: texts, and functions where a text holds numbers or names. */
export const texts = {
  helpButton: {
    help: (about: string | number) => `Help: ${about}`,
  },
  helpPanel: {
    help: 'Help',
    searchTheDocumentation: 'Search the documentation',
    contents: 'Contents',
    closeTheHelp: 'Close the help',
    passage: 'Passage',
    nothingMatches: 'Nothing matches.',
    passages: (count: string | number) => `${count} passages`,
  },
  helpStore: {
    methodsOfAllEngines: 'Methods of all engines',
    whileARunGoesOn: 'While a run goes on',
    theListOfRuns: 'The list of runs',
    loadHosts: 'Load hosts',
  },
} as const;
