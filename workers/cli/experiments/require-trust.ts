import { DynoError } from '#model/error.ts';
import { oneLine } from '#model/text/printable.ts';
import type { Home } from '#platform/paths.ts';
import { type ForeignWork, foreignWorkLines } from '#protocol/foreign-work.ts';
import { type GivenFile, openGate, type TrustedExperiment, type TrustedTarget } from '#workspace/trust/gate.ts';

/** The option of commands that execute the content of an experiment. */
export const trustOption = {
  trust: {
    type: 'boolean',
    about: 'Trusts a file that came from elsewhere. Dyno remembers its content as trusted.',
  },
} as const;

/**
 * The experiment that may run. Refuses an untrusted experiment from elsewhere, and lists what it would do. Throws
 * 'badInput', also for an experiment without a plan.
 */
export function requireTrust(home: Home, given: GivenFile, isTrusted: boolean): TrustedExperiment {
  const judged = openGate(home).experiment(given, isTrusted);
  if ('trusted' in judged) return judged.trusted;
  throw refusal(judged.foreign, 'If it may do that, run it with --trust; Dyno then remembers it.');
}

/**
 * A target of an experiment, to connect to. Refuses a target that an experiment from elsewhere defines, unless the user
 * trusts it: connecting sends the values of variables, and can load a driver's libraries. `isTrusted` holds only for
 * this command, because nobody has reviewed the rest of the file. Throws 'badInput'.
 */
export function requireTrustedTarget(home: Home, given: GivenFile, name: string, isTrusted: boolean): TrustedTarget {
  const judged = openGate(home).targetIn(given, name, isTrusted);
  if ('trusted' in judged) return judged.trusted;
  throw refusal(judged.foreign, 'If it may do that, add --trust.');
}

const refusal = (work: ForeignWork, hint: string): DynoError =>
  new DynoError(
    'badInput',
    [`“${oneLine(work.name)}” came from elsewhere and has not run here before.`, ...foreignWorkLines(work)].join('\n'),
    { hint },
  );
