import { many } from '#model/format/plural.ts';
import { oneLine } from '#model/text/printable.ts';
import { cleanTarget } from '#orchestrator/check/clean-target.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { requirePasswords } from '#workspace/connections/connection-passwords.ts';
import { connectionsOf } from '#workspace/trust/gate.ts';
import { type Command, jsonOption } from '../command.ts';
import { confirmedHosts, confirmOption } from '../confirm-option.ts';
import { onInterrupt } from '../interrupt.ts';
import { aboutTargets, findTarget, passwordNotice, targetOptions } from './find-target.ts';

/** `dyno clean`: lists and drops Dyno's leftovers at a server. */
export const cleanCommand: Command = {
  name: 'clean',
  arguments: 'TARGET',
  summary:
    'Lists the tables and changed parameters that Dyno has left on a target. With --yes, it drops the tables and gives the parameters back.',
  help: `${aboutTargets}\nDyno marks its tables (or collections) and lists only marked ones, whatever their names, and the objects that the section setup of an experiment has made. Tables of a running run are kept, and so are tables of a run that may be running elsewhere if the server does not tell. Dyno’s schema or database is kept.`,
  options: {
    ...targetOptions,
    yes: {
      type: 'boolean',
      short: 'y',
      about: 'Drops the listed tables and gives the parameters back. Without it, nothing is changed.',
    },
    unsure: {
      type: 'boolean',
      about:
        'Also drops tables whose run may still be running elsewhere. First make sure that no other Dyno home or machine uses this target.',
    },
    ...confirmOption,
    ...jsonOption,
  },
  takes: [1, 1],
  async run({ home, positionals: [word = ''], values, print, printJson, note }) {
    const warning = passwordNotice(word);
    if (warning) note(warning);
    const { target, passwords } = findTarget(home, word, values);
    requirePasswords(connectionsOf([target]), passwords, process.env);
    const stop = new AbortController();
    using _ = onInterrupt(() => stop.abort());
    const drops = values.yes === true;
    const report = await cleanTarget({
      ...{ home, target, passwords, drops, dropsUnsure: values.unsure === true, confirmed: confirmedHosts(values) },
      signal: stop.signal,
      onActivity: () => {},
    });
    const { address, tables, dropped, parameters } = report;
    if (values.json) {
      printJson(report);
      return exitCodes.ok;
    }
    for (const { name, inUse } of tables) print(inUse === null ? oneLine(name) : `${oneLine(name)}  (stays: ${inUse})`);
    for (const text of parameters) print(oneLine(text));
    const free = tables.filter(({ inUse }) => inUse === null).length;
    if (drops) {
      if (tables.length > 0 || parameters.length === 0)
        note(`Dyno dropped ${many(dropped.length, 'table')} at ${address}.`);
    } else if (free > 0) note(`Dyno has left ${many(free, 'table')} at ${address}. To drop them, add --yes.`);
    else if (parameters.length > 0) note('To give the parameters back, add --yes.');
    else note(`Dyno has left nothing to drop at ${address}.`);
    if (tables.some(({ isUnsure }) => isUnsure))
      note(
        'If no other Dyno home or machine uses this target, --unsure also drops the tables whose run may still be running.',
      );
    return exitCodes.ok;
  },
};
