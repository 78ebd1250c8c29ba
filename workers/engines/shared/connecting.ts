import type { ConfigParser, EngineConfig } from '#engine-api/config.ts';
import { DynoError, type ErrorData } from '#model/error.ts';
import type { SessionSettings } from '#model/settings/session-settings.ts';

/**
 * Checks the configuration again by its parser. The address to connect to (ConfigParser.through) and the mark for
 * read-only sessions (ConfigParser.readOnly) are kept apart, because they are no keys of a target.
 */
export function parseAgain({ parse }: ConfigParser, { via, readOnly, ...config }: EngineConfig): EngineConfig {
  return { ...parse(config), ...(via !== undefined && { via }), ...(readOnly === true && { readOnly }) };
}

/** The member that ConfigParser.readOnly adds to a configuration. */
export interface Access {
  /** True: the server has to refuse writes. */
  readonly readOnly?: true;
  /** Settings of the experiment, which a session makes beside those of its target (Database.openSession). */
  readonly ofTrial?: SessionSettings;
}

/** ConfigParser.readOnly of engines whose sessions look for this mark when they connect. */
export const readOnlyAccess = (config: EngineConfig): EngineConfig & Access => ({ ...config, readOnly: true });

/** The error of a failed connection: address and user stand before the server's message. */
export const connectingError = (address: string, user: string | null, data: ErrorData): DynoError =>
  new DynoError(data.kind, `Connecting to ${address}${user === null ? '' : ` as ${user}`}: ${data.message}`, data);

/**
 * Makes a session's settings by `set`, one after the other. A setting that the server refuses is 'badInput' and is
 * named (`where`). `manual`: the statement whose manual page has the names and values.
 */
export async function applySettings(
  settings: Readonly<Record<string, string>>,
  set: (name: string, value: string) => Promise<unknown>,
  toError: (thrown: unknown) => ErrorData,
  manual: string,
  where: (name: string) => string = (name) => `sessionSettings.${name}`,
): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    try {
      await set(name, value);
    } catch (error) {
      const { kind, code, message } = toError(error);
      if (kind === 'serverGone' || kind === 'permission') throw error;
      throw new DynoError('badInput', `${where(name)}: ${message}`, {
        code,
        hint: `Names and values are those of the server’s ${manual}.`,
      });
    }
  }
}

/** The place in the file of a setting that an experiment has for the sessions of an engine. */
export const ofTrialAt =
  (engine: string) =>
  (name: string): string =>
    `session.${engine}.${name}`;

/** A configuration whose sessions make these settings beside those of the target. */
export const withTrialSettings = <C extends object>(config: C, settings: SessionSettings | undefined): C & Access =>
  settings === undefined ? config : { ...config, ofTrial: settings };
