import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { DynoError } from '#model/error.ts';
import { galleryFolder, type Home, isBelow } from '#platform/paths.ts';
import { type ForeignWork, foreignWorkLines } from '#protocol/foreign-work.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { openLibrary } from '#workspace/library/library.ts';
import { planExperiment } from '#workspace/library/plan-experiment.ts';
import { openTrust } from '#workspace/trust/trust.ts';
import { whatConnectingDoes, whatItDoes } from '#workspace/trust/what-it-does.ts';

/** The option of commands that run what an experiment says. */
export const trustOption = {
  trust: {
    type: 'boolean',
    about: 'Runs a file from elsewhere for the first time; Dyno remembers its content as trusted.',
  },
} as const;

/**
 * Refuses an experiment that came from elsewhere and that the user has not trusted, with what it would do. `written`:
 * its text as the file has it; `yaml`: as it would run. `word`: a path, or a name of the library. Throws 'badInput'.
 */
export function requireTrust(home: Home, word: string, written: string, yaml: string, isTrusted: boolean): void {
  const trust = openTrust(home, openLibrary(home));
  if (existsSync(word) && !isOwn(home, word)) trust.noteForeign(written);
  if (!trust.isForeign(written)) return;
  if (isTrusted) {
    trust.trust(written);
    return;
  }
  const { connections } = openConnectionStore(home).list();
  const { plan } = planExperiment(yaml, connections);
  // An invalid experiment runs nothing; its problems are told as ever.
  if (plan === null) return;
  throw refusal(whatItDoes(plan, connections), 'If it may do that, run it with --trust; Dyno then remembers it.');
}

/**
 * Refuses to connect to a target of an experiment that came from elsewhere and that the user has not trusted, whether
 * the experiment has a plan or not. Connecting sends the values of variables, and can load a driver's libraries.
 * `isTrusted` holds for this command alone: the rest of the file has not been looked at. Throws 'badInput'.
 */
export function requireTrustedTarget(
  home: Home,
  word: string,
  written: string,
  { name }: Pick<Experiment, 'name'>,
  target: Experiment['targets'][number],
  isTrusted: boolean,
): void {
  const trust = openTrust(home, openLibrary(home));
  if (existsSync(word) && !isOwn(home, word)) trust.noteForeign(written);
  if (isTrusted || !trust.isForeign(written)) return;
  throw refusal(whatConnectingDoes(name, target), 'If it may do that, add --trust.');
}

const refusal = (work: ForeignWork, hint: string): DynoError =>
  new DynoError(
    'badInput',
    [`“${work.name}” came from elsewhere and has not run here before.`, ...foreignWorkLines(work)].join('\n'),
    { hint },
  );

/** A file in Dyno's home or of the gallery. Links are followed: what counts is where the content is. */
function isOwn(home: Home, word: string): boolean {
  const path = realpathSync(resolve(word));
  return [home.root, galleryFolder].some((folder) => existsSync(folder) && isBelow(realpathSync(folder), path));
}
