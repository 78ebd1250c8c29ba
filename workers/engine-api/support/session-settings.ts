import { DynoError } from '#model/error.ts';
import type { SessionSettings } from '#model/settings/session-settings.ts';
import type { EngineDescriptor } from '../descriptor.ts';

type Setting = Pick<EngineDescriptor, 'label' | 'sessionSettings' | 'unsupportedReasons'>;

/** The reason, as a sentence, why sessions of an engine take no settings; null: they take some. */
export const noSessionSettingsText = ({ label, sessionSettings, unsupportedReasons }: Setting): string | null =>
  sessionSettings ? null : (unsupportedReasons.sessionSettings ?? `Dyno makes no settings of sessions in ${label}.`);

const isWhole = (pattern: string, text: string): boolean => new RegExp(`^(?:${pattern})$`, 'i').test(text);

/** The reason, as a sentence, why a setting is not made in a session; null: the server judges it. */
export function sessionSettingProblem(engine: Setting, name: string, value: string): string | null {
  const none = noSessionSettingsText(engine);
  if (none !== null) return none;
  const { names, values, refused } = engine.sessionSettings!;
  const found = refused.find((one) => isWhole(one.names, name));
  if (found) return found.why;
  if (!isWhole(names, name)) return `${JSON.stringify(name)} is not the name of a setting of ${engine.label}.`;
  if (values !== undefined && !isWhole(values, value))
    return `${JSON.stringify(value)} is not a value that ${engine.sessionSettings!.implementation} takes.`;
  return null;
}

/**
 * Returns the settings. Throws 'badInput' for a setting that is not made in sessions, and 'unsupported' if sessions of
 * the engine take no settings.
 */
export function requireSessionSettings(engine: Setting, settings: SessionSettings): SessionSettings {
  const entries = Object.entries(settings);
  const none = noSessionSettingsText(engine);
  if (entries.length > 0 && none !== null) throw new DynoError('unsupported', `session: ${none}`);
  for (const [name, value] of entries) {
    const why = sessionSettingProblem(engine, name, value);
    if (why !== null) throw new DynoError('badInput', `session: ${name} is not set. ${why}`);
  }
  return settings;
}
