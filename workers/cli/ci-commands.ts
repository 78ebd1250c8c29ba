/**
 * CI systems execute lines of a job's output: GitHub Actions those that begin with `::` or contain `##[`, Azure
 * Pipelines and TeamCity those with `##vso[` and `##teamcity[`. Names in an experiment and messages of servers must not
 * set variables or hide the rest of the output.
 */
const isOnCi = ['CI', 'GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION'].some((name) => process.env[name]);

/** Output that no CI system takes for commands; unchanged elsewhere. */
export const withoutCommands = (text: string, isCi = isOnCi): string =>
  isCi ? text.replaceAll(/^(\s*):(?=:)/gm, '$1: ').replaceAll(/#(?=#\w*\[)/g, '# ') : text;

/** The same for JSON, whose strings keep their value. */
export const jsonWithoutCommands = (json: string, isCi = isOnCi): string =>
  isCi ? json.replaceAll(/#(?=#\w*\[)/g, String.raw`\u0023`) : json;
