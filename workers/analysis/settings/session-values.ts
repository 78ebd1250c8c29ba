import { serverParametersOf } from '#experiment/schema/server.ts';
import { sessionSettingsOf } from '#experiment/schema/session.ts';
import { type ReportedSettings, tlsSetting } from '#model/settings/session-settings.ts';
import { planOf, variantOf } from '#planning/variant-of.ts';
import type { TargetRecord } from '#protocol/journal.ts';
import type { RunModel } from '../run-model/run-model.ts';

type Facts = Pick<RunModel, 'plan' | 'trials'>;

/** A setting of the sessions of a trial, or a parameter of its server, that the experiment sets. */
export interface MadeSetting {
  /** session: the sessions made it after their login; server: the server started with it, or was changed. */
  readonly by: 'session' | 'server';
  readonly name: string;
  /** The value in the experiment; null: only other variants set a value, and this trial has the server's own value. */
  readonly asked: string | null;
  /** The value that the server reported; null: it did not tell. */
  readonly reported: string | null;
}

type Trial = Facts['trials'][number];

/**
 * The settings that the experiment made for a trial; those of its sessions come first, because they hide the server's.
 * Empty: it made none, or the trial ended before.
 */
export function madeSettings({ plan }: Pick<Facts, 'plan'>, { trial, result }: Trial): readonly MadeSetting[] {
  const { sessionSettings, serverParameters } = result ?? {};
  if (!sessionSettings && !serverParameters) return [];
  const engine = plan.targets.find(({ name }) => name === trial.target)?.engine ?? '';
  const variant = variantOf(plan, trial.variant);
  const { experiment } = planOf(plan, variant);
  const session = { ...sessionSettingsOf(experiment, engine), [tlsSetting]: variant?.settings.tls ?? 'default' };
  const made = (by: MadeSetting['by'], all: ReportedSettings = {}, asked: Readonly<Record<string, string>> = {}) =>
    Object.entries(all).map(([name, reported]): MadeSetting => ({ by, name, asked: asked[name] ?? null, reported }));
  return [
    ...made('session', sessionSettings, session),
    ...made('server', serverParameters, serverParametersOf(experiment, engine)),
  ];
}

/** The value of a setting as text: the server's own, or the value that was set where the server does not tell. */
export const formatMade = ({ asked, reported }: MadeSetting): string =>
  reported ?? (asked === null ? 'not told' : `${asked} was set (the server does not tell its value)`);

const known = new WeakMap<Facts['trials'], Map<string, readonly (readonly MadeSetting[])[]>>();

/** The settings that the experiment made, for each good trial of a target; they are found once for a run's trials. */
function madeInTrials(model: Facts, { name }: Pick<TargetRecord, 'name'>): readonly (readonly MadeSetting[])[] {
  const byTarget = known.get(model.trials) ?? new Map<string, readonly (readonly MadeSetting[])[]>();
  known.set(model.trials, byTarget);
  const found =
    byTarget.get(name) ??
    model.trials
      .filter(({ trial, result }) => trial.target === name && result?.status === 'ok')
      .map((one) => madeSettings(model, one));
  byTarget.set(name, found);
  return found;
}

/** The names of all settings that the experiment made for a target's good trials. */
export const madeNames = (model: Facts, target: Pick<TargetRecord, 'name'>): readonly string[] => [
  ...new Set(madeInTrials(model, target).flatMap((made) => made.map(({ name }) => name))),
];

/**
 * The values that a setting had in a target's good trials. `found`: the value in trials that do not make the setting.
 */
export function valuesInTrials(
  model: Facts,
  target: Pick<TargetRecord, 'name'>,
  setting: string,
  found: string | null,
): { readonly values: readonly (string | null)[]; readonly made: readonly string[] } {
  const own = madeInTrials(model, target).map((all) =>
    all.find(({ name }) => name.toLowerCase() === setting.toLowerCase()),
  );
  const made = [...new Set(own.flatMap((one) => (one ? [formatMade(one)] : [])))];
  return { values: [...(own.length === 0 || own.includes(undefined) ? [found] : []), ...made], made };
}

/**
 * The value of a target's setting in its trials: the value that all trials had, or the server's general value and the
 * values of variants. Null: the target has no such setting.
 */
export function valueInTrials(
  model: Facts,
  target: Pick<TargetRecord, 'name'>,
  setting: string,
  found: string | null,
): string | null {
  const { values, made } = valuesInTrials(model, target, setting, found);
  const distinct = new Set(values);
  if (distinct.size === 1) return values[0] ?? null;
  const usual = made.length < values.length ? [found ?? 'the server’s'] : [];
  return [...usual, `by variants ${made.join(', ')}`].join('; ');
}
