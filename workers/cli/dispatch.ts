import { parseArgs } from 'node:util';
import { namedWord } from '#engine-api/connection-strings/looks.ts';
import { DynoError, type ErrorData, toErrorData } from '#model/error.ts';
import { nearestWord } from '#model/text/nearest-word.ts';
import { printable } from '#model/text/printable.ts';
import { endAllWorkers } from '#orchestrator/worker/fork.ts';
import { appVersion } from '#platform/app-version.ts';
import { exitCodeMeanings, exitCodes } from '#platform/exit-codes.ts';
import { homeOf } from '#platform/paths.ts';
import { jsonWithoutCommands, withoutCommands } from './ci-commands.ts';
import type { Command, Values } from './command.ts';
import { optionProblem } from './option-problem.ts';

const write = (stream: NodeJS.WriteStream) => (text: string) =>
  void stream.write(`${withoutCommands(printable(text))}\n`);
const print = write(process.stdout);
const note = write(process.stderr);
const printJson = (value: unknown) => print(jsonWithoutCommands(JSON.stringify(value, null, 2)));
const helpOption = { help: { type: 'boolean', short: 'h', about: 'Prints this help.' } } as const;

/** Finds the command, parses its options and runs it; prints every error as a message and returns its exit code. */
export async function dispatch(commands: readonly Command[], args: readonly string[]): Promise<number> {
  // A reader that closes early (| head) is no error, and the work continues: the report must be written, and tables
  // must be dropped.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    note(`error (${error.code}): The output cannot be written: ${error.message}`);
    void endAllWorkers().finally(() => process.exit(exitCodes.runStopped));
  });
  process.stderr.on('error', () => {});
  const [name, ...rest] = args;
  if (name === '--version' || name === '-v') {
    print(appVersion);
    return exitCodes.ok;
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    print(overview(commands));
    return name === undefined ? exitCodes.usage : exitCodes.ok;
  }
  const command = commands.find((one) => one.name === name);
  if (!command) {
    const near = nearestWord(
      name,
      commands.map((one) => one.name),
    );
    note(`dyno: there is no command ${namedWord(name)}.${near ? ` Did you mean “${near}”?` : ''} See dyno --help.`);
    return exitCodes.usage;
  }
  let parsed: { readonly values: Values; readonly positionals: readonly string[] };
  try {
    parsed = parseArgs({
      args: rest,
      options: { ...command.options, ...helpOption },
      allowPositionals: true,
    });
  } catch (thrown) {
    note(`dyno ${name}: ${parseProblem(thrown, rest, Object.keys(command.options))}`);
    note(`See dyno ${name} --help.`);
    return exitCodes.usage;
  }
  if (parsed.values.help) {
    print(commandHelp(command));
    return exitCodes.ok;
  }
  const [least, most] = command.takes;
  if (parsed.positionals.length < least || parsed.positionals.length > most) {
    note(`Usage: dyno ${name} ${command.arguments}`.trimEnd());
    return exitCodes.usage;
  }
  const problem = optionProblem(parsed.values, command.options);
  if (problem) {
    note(problem);
    return exitCodes.usage;
  }
  try {
    return await command.run({ home: homeOf(), ...parsed, print, printJson, note });
  } catch (thrown) {
    const error = toErrorData(thrown);
    note(terminalErrorText(error));
    if (!(thrown instanceof DynoError) && process.env.DYNO_DEBUG) console.error(thrown);
    return codeOfError[error.kind];
  }
}

/** The error of a wrong option: Dyno's own message if the message of Node's parser contains more than the error. */
function parseProblem(thrown: unknown, args: readonly string[], known: readonly string[]): string {
  const { code, message } = toErrorData(thrown);
  const option = /'(-[^' =]*)/.exec(message)?.[1] ?? '';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const near = nearestWord(option.replace(/^-+/, ''), known);
    return `there is no option ${option}.${near ? ` Did you mean --${near}?` : ''}`;
  }
  const value = args[args.indexOf(option) + 1];
  return message.includes('ambiguous')
    ? `${option}: a value that begins with a dash is written with an equals sign: ${option}=${value}`
    : message;
}

/** "error (code): message" and the remedy. */
export const terminalErrorText = ({ code, message, hint }: ErrorData): string =>
  `error${code ? ` (${code})` : ''}: ${message}${hint ? `\n  try: ${hint}` : ''}`;

const codeOfError = {
  badInput: exitCodes.badExperiment,
  fileContents: exitCodes.badExperiment,
  notConfirmed: exitCodes.notConfirmed,
  unreachable: exitCodes.targetUnreachable,
  authentication: exitCodes.targetUnreachable,
  tls: exitCodes.targetUnreachable,
  serverGone: exitCodes.targetUnreachable,
  timeout: exitCodes.targetUnreachable,
  connectionLimit: exitCodes.targetUnreachable,
  limit: exitCodes.targetUnreachable,
  unsupported: exitCodes.targetUnreachable,
  permission: exitCodes.targetUnreachable,
  notOurs: exitCodes.targetUnreachable,
  other: exitCodes.targetUnreachable,
  uniqueViolation: exitCodes.someTrialsFailed,
  constraint: exitCodes.someTrialsFailed,
  deadlock: exitCodes.someTrialsFailed,
  lockTimeout: exitCodes.someTrialsFailed,
  statementTimeout: exitCodes.someTrialsFailed,
  serialization: exitCodes.someTrialsFailed,
  mismatch: exitCodes.someTrialsFailed,
  wrongResult: exitCodes.someTrialsFailed,
  syntax: exitCodes.someTrialsFailed,
  cancelled: exitCodes.cancelled,
  diskFull: exitCodes.runStopped,
  fileAccess: exitCodes.runStopped,
  workerGone: exitCodes.internal,
  internal: exitCodes.internal,
} as const satisfies Record<ErrorData['kind'], number>;

function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((one) => one.name.length + one.arguments.length + 1));
  return [
    'dyno: put database engines on the dynamometer',
    '',
    'Usage: dyno COMMAND [options]',
    '',
    ...commands.map((one) => `  ${`${one.name} ${one.arguments}`.padEnd(width)}  ${one.summary}`),
    '',
    'dyno COMMAND --help tells more. DYNO_HOME names the folder of runs and embedded servers.',
    '',
    'Exit codes:',
    ...Object.entries(exitCodeMeanings).map(
      ([name, meaning]) => `  ${String(exitCodes[name as keyof typeof exitCodes]).padStart(3)}  ${meaning}`,
    ),
  ].join('\n');
}

/** The output of `dyno COMMAND --help`. */
export function commandHelp(command: Command): string {
  const all: Command['options'] = { ...command.options, ...helpOption };
  const options = Object.entries(all).map(
    ([name, { type, short, about }]) =>
      [`${short ? `-${short}, ` : ''}--${name}${type === 'string' ? ' …' : ''}`, about] as const,
  );
  const width = Math.max(...options.map(([left]) => left.length));
  return [
    `Usage: dyno ${command.name} ${command.arguments} [options]`,
    '',
    command.summary,
    ...(command.help ? ['', command.help] : []),
    '',
    ...options.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`),
  ].join('\n');
}
