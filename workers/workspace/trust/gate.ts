import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { namedWord } from '#engine-api/connection-strings/looks.ts';
import { findBuiltIn } from '#engines/catalog.ts';
import { type TargetSpec, usualLeastFreeMib } from '#experiment/schema/experiment.ts';
import type { YamlSource } from '#experiment/yaml/yaml-source.ts';
import type { Connection, SavedConnection } from '#model/connections.ts';
import { DynoError } from '#model/error.ts';
import { formatCount } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { type Diagnostic, diagnosticLine } from '#model/text/diagnostic.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import { oneLine } from '#model/text/printable.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { galleryFolder, type Home, isBelow } from '#platform/paths.ts';
import { type ForeignWork, foreignWorkLines } from '#protocol/foreign-work.ts';
import type { Plan } from '#protocol/plan.ts';
import type { ParsedFile } from '#rules/parsed-file.ts';
import { openConnectionStore, requireConnections } from '../connections/connections.ts';
import { isDynosOwn, requireConfirmed } from '../connections/production-hosts.ts';
import { openLibrary } from '../library/library.ts';
import { planContext } from '../library/plan-context.ts';
import { openTrust, type Trust } from './trust.ts';
import { whatConnectingDoes, whatItDoes } from './what-it-does.ts';

/** Only this file has the key, so values made with it have passed the gate. */
const key = Symbol('made by the gate');

class Target {
  // A private field makes the type nominal: another object of this shape does not fit.
  readonly #key: symbol;
  readonly name: string;
  readonly engine: string;
  /** The target as an experiment writes it: the name of a connection or of a built-in target, or all its fields. */
  readonly spec: string | TargetSpec;
  /** Null: a built-in target, or one that an experiment writes out. */
  readonly connection: Connection | null;
  /** True: Dyno's tables may be dropped there, whatever runs may do, because somebody has asked for it. */
  readonly mayDrop: boolean;

  constructor(
    made: symbol,
    name: string,
    engine: string,
    spec: string | TargetSpec,
    connection: Connection | null,
    mayDrop = false,
  ) {
    this.#key = made;
    this.mayDrop = mayDrop;
    this.name = name;
    this.engine = engine;
    this.spec = spec;
    this.connection = connection;
    Object.freeze(this);
  }

  static isGenuine = (one: object): boolean => #key in one && one.#key === key;
}

class TrustedText {
  readonly #key: symbol;
  /** The executed text. */
  readonly yaml: string;
  readonly plan: Plan;
  readonly warnings: readonly Diagnostic[];
  /** The targets in the order of the plan. */
  readonly targets: readonly TrustedTarget[];

  constructor(
    made: symbol,
    yaml: string,
    plan: Plan,
    warnings: readonly Diagnostic[],
    targets: readonly TrustedTarget[],
  ) {
    this.#key = made;
    this.yaml = yaml;
    this.plan = plan;
    this.warnings = warnings;
    this.targets = Object.freeze(targets);
    Object.freeze(this);
  }

  static isGenuine = (one: object): boolean => #key in one && one.#key === key;
}

/**
 * A target to which Dyno may connect. All code that opens a connection requires one, and only this file makes them: for
 * Dyno's own servers, the user's own connections, and experiments that the user trusts.
 */
export type TrustedTarget = Target;

/** An experiment that may run, with its plan and all its targets. */
export type TrustedExperiment = TrustedText;

/** Throws 'internal' for a value that the gate has not returned, even if the compiler accepts it. */
export function requireGenuine(one: TrustedTarget | TrustedExperiment): void {
  if (!Target.isGenuine(one) && !TrustedText.isGenuine(one))
    throw new DynoError('internal', 'Nobody has judged whether this may be connected to.');
}

/** An experiment file, and its origin. */
export interface GivenFile {
  /** The file that would run, with the user's changes on the command line. */
  readonly file: ParsedFile;
  /** The file without these changes. Default: the file that would run. */
  readonly written?: YamlSource;
  /** The path of the file. A file outside of Dyno's home and gallery came from elsewhere. Default: none. */
  readonly path?: string;
  /** The folder of the files that the experiment names, for warnings about their content. Default: no such warnings. */
  readonly folder?: string;
}

/** The gate's answer: a value to connect with, or the effects to ask the user about. */
type Judged<T> = { readonly trusted: T } | { readonly foreign: ForeignWork };

/**
 * Decides to which targets Dyno may connect. Its functions also throw the errors of openTrust, and 'fileAccess' if the
 * saved connections cannot be read, for targets that Dyno does not start itself.
 */
export interface Gate {
  /**
   * An experiment that may run. `isTrusted`: the user has confirmed it, which is remembered for its content. Throws
   * 'badInput' with its problems if it has no plan, and remembers nothing then.
   */
  experiment(given: GivenFile, isTrusted: boolean): Judged<TrustedExperiment>;
  /**
   * One target of an experiment, which may have no plan. `isTrusted` applies to this call only, because nobody has read
   * the rest of the text. Throws 'badInput' if it has no target with this name.
   */
  targetIn(given: GivenFile, name: string, isTrusted: boolean): Judged<TrustedTarget>;
  /**
   * An experiment that an AI agent asks for, which runs without a question. An experiment of the user's own, unchanged,
   * may run on the targets that the user has allowed before. Another one may run only on those of them that Dyno starts
   * itself, and only if it uses nothing else of this machine; it stays untrusted. Throws 'badInput' with the reason why
   * it may not run, and with its problems if it has no plan.
   */
  forAiAgent(given: GivenFile, limits: AiAgentLimits): TrustedExperiment;
  /** A connection that the user has saved, or a built-in target; null if there is none with this name. */
  named(name: string): TrustedTarget | null;
}

/** The limits of an experiment that an AI agent asks for. */
interface AiAgentLimits {
  /** The names of the built-in targets and saved connections that the user has allowed. */
  readonly allowed: readonly string[];
  /** True: the AI agent has written or changed the text. */
  readonly isItsText: boolean;
}

/** The gate of a home. */
export function openGate(home: Home, trust: Trust = openTrust(home, openLibrary(home))): Gate {
  const savedFor = (targets: readonly (string | TargetSpec)[]): readonly SavedConnection[] =>
    targets.every(isDynosOwn) ? openConnectionStore(home).list().connections : requireConnections(home);
  const isForeign = ({ file, written = file, path }: GivenFile): boolean => {
    if (path !== undefined && !isOwn(home, path)) trust.noteForeign(written, null, path);
    return trust.isForeign(written);
  };
  const withOrigin = (work: ForeignWork, { file, written = file }: GivenFile): { readonly foreign: ForeignWork } => {
    const origin = trust.originOf(written);
    return { foreign: origin ? { ...work, origin } : work };
  };
  const planned = (given: GivenFile) => {
    const { file, folder = null } = given;
    const connections = savedFor(file.experiment?.targets ?? []);
    const { plan, diagnostics } = planExperiment(file, planContext(connections, folder));
    if (!plan) throw invalid(diagnostics);
    return { file, plan, diagnostics, connections };
  };
  const letThrough = ({ file, plan, diagnostics, connections }: ReturnType<typeof planned>): TrustedExperiment => {
    const specs = plan.experiment.targets;
    const targets = plan.targets.map(({ name, engine }) => {
      const spec = specs.find((one) => nameOf(one) === name);
      if (spec === undefined) throw new DynoError('internal', `Target ${name} is not in the experiment.`);
      if (typeof spec !== 'string') return new Target(key, name, engine, spec, null);
      return requireNamed(name, connections);
    });
    return new TrustedText(key, file.text, plan, diagnostics, targets);
  };
  return {
    experiment(given, isTrusted) {
      const { file, written = file } = given;
      const found = planned(given);
      if (isForeign(given)) {
        if (!isTrusted) return withOrigin(whatItDoes(found.plan, found.connections), given);
        trust.trust(written);
      }
      return { trusted: letThrough(found) };
    },
    forAiAgent(given, { allowed, isItsText }) {
      const { file, written = file } = given;
      const found = planned(given);
      requireAllowed(found.plan, allowed);
      if (isItsText || isForeign(given)) requireHarmless(found.plan, whatItDoes(found.plan, found.connections));
      // The text is in the file of its run, from where the user could run it again.
      if (isItsText) trust.noteForeign(written);
      return letThrough(found);
    },
    targetIn(given, name, isTrusted) {
      const { spec, experiment } = targetSpecIn(given.file, name);
      if (typeof spec === 'string') return { trusted: requireNamed(spec, savedFor([spec])) };
      if (isForeign(given) && !isTrusted) return withOrigin(whatConnectingDoes(experiment, spec), given);
      return { trusted: new Target(key, name, spec.engine, spec, null) };
    },
    named: (name) => findNamed(name, savedFor([name])),
  };
}

/** Throws 'badInput' if an experiment has a target that the user has not allowed. */
function requireAllowed({ experiment }: Plan, allowed: readonly string[]): void {
  const other = experiment.targets.find((spec) => typeof spec !== 'string' || !allowed.includes(spec));
  if (other === undefined) return;
  const name = oneLine(nameOf(other));
  const are = `These targets are allowed here: ${allowed.map(oneLine).join(', ')}.`;
  throw typeof other === 'string'
    ? new DynoError('badInput', `The target “${name}” is not allowed here.`, { hint: are })
    : new DynoError(
        'badInput',
        `The experiment writes out its target “${name}”, and an AI agent may only name targets.`,
        {
          hint: are,
        },
      );
}

/**
 * Throws 'badInput' with the parts of an untrusted experiment that act beyond servers that Dyno starts itself. There,
 * statements reach nothing but the tables of the run.
 */
function requireHarmless({ experiment, measure }: Plan, work: ForeignWork): void {
  const theirs = experiment.targets
    .filter((spec) => !isDynosOwn(spec))
    .map((spec) => `${nameOf(spec)}: your connection`);
  const nothing = { sessions: [], servers: [], tables: [], writes: [], reads: [], keeps: [] };
  const { name, loadHosts, files, variables, uses } = work;
  const beyond = foreignWorkLines({ ...nothing, name, targets: theirs, loadHosts, files, variables, uses });
  if (beyond.length > 0)
    throw new DynoError(
      'badInput',
      [
        `“${oneLine(name)}” is not the user’s own, so it may run only on servers that Dyno starts itself.`,
        ...beyond,
      ].join('\n'),
      { hint: 'The user can read the file, and run it in the window or with `dyno run`.' },
    );
  const { leastFreeMib = usualLeastFreeMib } = measure;
  if (leastFreeMib < usualLeastFreeMib)
    throw new DynoError(
      'badInput',
      `“${oneLine(name)}” is not the user’s own, so measure.leastFreeMib may not be below ${formatCount(usualLeastFreeMib)}.`,
    );
}

/** A target that Dyno starts itself. Throws 'badInput' if there is none with this name. */
export function builtInTarget(name: string): TrustedTarget {
  const entry = findBuiltIn(name);
  if (!entry) throw new DynoError('badInput', `There is no built-in target “${oneLine(name)}”.`);
  return new Target(key, name, entry.descriptor.id, name, null);
}

/**
 * A connection of the user's own: saved, typed as a URL on the command line, or entered in the window. A target that a
 * file writes out is never one.
 */
export const usersConnection = (connection: Connection): TrustedTarget =>
  new Target(key, connection.name, connection.engine, connection.name, connection);

/** The target for dropping Dyno's tables, which is allowed there even if runs may not write. */
export function forDropping(target: TrustedTarget): TrustedTarget {
  requireGenuine(target);
  const { name, engine, spec, connection } = target;
  return new Target(key, name, engine, spec, connection, true);
}

/** A target as an experiment writes it, and the experiment's name. Throws 'badInput' where it has no such target. */
export function targetSpecIn(
  { experiment, diagnostics }: ParsedFile,
  name: string,
): { readonly spec: string | TargetSpec; readonly experiment: string } {
  if (!experiment)
    throw new DynoError('badInput', `The text is no experiment: ${diagnostics[0]?.message ?? 'unreadable'}`);
  const names = experiment.targets.map(nameOf);
  const spec = experiment.targets[names.indexOf(name)];
  if (spec !== undefined) return { spec, experiment: experiment.name };
  throw new DynoError('badInput', `The experiment has no target ${namedWord(name)}.`, {
    hint: didYouMean(name, names) ?? `It has: ${names.join(', ')}.`,
  });
}

/** The connections among these targets. */
export const connectionsOf = (targets: readonly TrustedTarget[]): readonly Connection[] =>
  targets.flatMap(({ connection }) => connection ?? []);

/**
 * Throws 'notConfirmed' if one of these targets leads to the server of a production connection, under any name, and the
 * host of that connection was not typed. Throws 'fileAccess' if production servers are unknown.
 */
export function requireTargetsConfirmed(
  home: Home,
  targets: readonly TrustedTarget[],
  confirmed: readonly string[],
): void {
  const marked = targets.map(markedAs);
  if (!marked.every(isDynosOwn)) requireConfirmed(marked, requireConnections(home), confirmed);
}

/** The part of a target that identifies its server. */
export const markedAs = ({ connection, spec }: TrustedTarget) => connection ?? spec;

const nameOf = (spec: string | TargetSpec): string => (typeof spec === 'string' ? spec : spec.name);

function findNamed(name: string, connections: readonly Connection[]): TrustedTarget | null {
  if (findBuiltIn(name)) return builtInTarget(name);
  const connection = connections.find((one) => one.name === name);
  return connection ? usersConnection(connection) : null;
}

function requireNamed(name: string, connections: readonly Connection[]): TrustedTarget {
  const found = findNamed(name, connections);
  if (found) return found;
  throw new DynoError('badInput', `There is no connection called “${oneLine(name)}” here.`, {
    hint: 'Add it under Connections, or write the target out in the experiment file.',
  });
}

/** The error of an experiment without a plan: its problems in words. */
function invalid(diagnostics: readonly Diagnostic[]): DynoError {
  const errors = diagnostics.filter((one) => one.severity === 'error');
  return new DynoError(
    'badInput',
    `The experiment has ${many(errors.length, 'error')}:\n${errors.map(diagnosticLine).join('\n')}`,
  );
}

/** A file in Dyno's home or of the gallery. Links are followed, because the place of the content counts. */
function isOwn(home: Home, file: string): boolean {
  const path = realpathSync(resolve(file));
  return [home.root, galleryFolder].some((folder) => existsSync(folder) && isBelow(realpathSync(folder), path));
}
