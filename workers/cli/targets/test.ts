import { looksLikeConnectionString } from '#engine-api/connection-strings/looks.ts';
import { type CheckReport, checkStepTitles } from '#model/connections.ts';
import { formatMs } from '#model/format/format.ts';
import { oneLine } from '#model/text/printable.ts';
import { checkTarget } from '#orchestrator/check/check-connection.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureHome } from '#platform/paths.ts';
import { noteCheck } from '#workspace/connections/connection-checks.ts';
import { optionalVariable, requirePasswords } from '#workspace/connections/connection-passwords.ts';
import { connectionsOf } from '#workspace/trust/gate.ts';
import { type Command, jsonOption, text } from '../command.ts';
import { onInterrupt } from '../interrupt.ts';
import { printSteps } from '../step-line.ts';
import { aboutTargets, findTarget, passwordNotice, savedOf, targetOptions, urlNotes } from './find-target.ts';

/** `dyno test`: checks a connection step by step. */
export const testCommand: Command = {
  name: 'test',
  arguments: 'TARGET',
  summary: 'Tests a target step by step, from its host name to the server’s counters, and reports the step that fails.',
  help: `${aboutTargets}\nThe test creates a table and drops it; it leaves nothing behind.`,
  options: { ...targetOptions, ...jsonOption },
  takes: [1, 1],
  async run({ home, positionals: [word = ''], values, print, printJson, note }) {
    // A problem of the home does not concern the target.
    ensureHome(home);
    const experiment = text(values, 'in');
    const notice = passwordNotice(word);
    if (notice) note(notice);
    const { target, passwords } = findTarget(home, word, values);
    const saved = savedOf(target);
    if (experiment === undefined && target.connection && !saved) for (const line of urlNotes(word)) note(line);
    requirePasswords(connectionsOf([target]), passwords, process.env);
    const stop = new AbortController();
    using _ = onInterrupt(() => stop.abort());
    // The steps are printed in order, although the result of TLS may arrive after the login.
    const onChange = values.json ? () => {} : printSteps(checkStepTitles, print);
    const report = await checkTarget({ home, target, passwords, signal: stop.signal, onChange });
    if (saved) noteCheck(home, saved.id, report);
    if (values.json) printJson(report);
    else print(summary(report, word, values.in === undefined ? '' : ` --in ${String(values.in)}`));
    const variable = saved && optionalVariable(saved);
    const isRefused = report.steps.some(({ error }) => error?.kind === 'authentication');
    if (isRefused && variable !== null && process.env[variable] === undefined)
      note(`This connection has no password. Set ${variable} in the environment, or give it one in the window.`);
    return report.state === 'cancelled'
      ? exitCodes.cancelled
      : report.state === 'failed'
        ? exitCodes.targetUnreachable
        : exitCodes.ok;
  },
};

/** The summary does not repeat a URL, which may contain a password. */
function summary(
  { state, product, emulator, notice, cautions, address, roundTripMs, grants }: CheckReport,
  word: string,
  option: string,
): string {
  const [shown, argument] = looksLikeConnectionString(word) ? ['This server', 'URL'] : [word, word];
  const what = oneLine([product ?? shown, ...(emulator ? [`emulator: ${emulator}`] : [])].join(', '));
  const trip = roundTripMs === null ? '' : `, round trip ${formatMs(roundTripMs)}`;
  const head =
    state === 'failed'
      ? `${shown} cannot be used yet.`
      : state === 'cancelled'
        ? 'Cancelled.'
        : `${what} at ${oneLine(address)} works${trip}.`;
  const script = 'The rights that Dyno needs, as a script for the server’s administrator';
  return [
    head,
    ...[...(notice === null ? [] : [notice]), ...cautions].map((one) => `Note: ${oneLine(one)}`),
    ...(grants === null ? [] : [`${script}: dyno grants ${argument}${option}`]),
  ].join('\n');
}
