import type { ConfigParser, EngineConfig } from '#engine-api/config.ts';
import { DynoError, type ErrorData } from '#model/error.ts';

/**
 * The configuration, checked again by its parser; the address to connect to (ConfigParser.through) is no key of it, nor
 * that its sessions are read-only (ConfigParser.readOnly).
 */
export function parseAgain({ parse }: ConfigParser, { via, readOnly, ...config }: EngineConfig): EngineConfig {
  return { ...parse(config), ...(via !== undefined && { via }), ...(readOnly === true && { readOnly }) };
}

/** The member that ConfigParser.readOnly adds to a configuration. */
export interface Access {
  /** The server is to refuse writes. */
  readonly readOnly?: true;
}

/** ConfigParser.readOnly of engines whose sessions look for it when they connect. */
export const readOnlyAccess = (config: EngineConfig): EngineConfig & Access => ({ ...config, readOnly: true });

/** The error of a connection that failed: the address and the user stand before the server's words. */
export const connectingError = (address: string, user: string | null, data: ErrorData): DynoError =>
  new DynoError(data.kind, `Connecting to ${address}${user === null ? '' : ` as ${user}`}: ${data.message}`, data);

/**
 * Sets a session's settings by `set`, one after the other. What the server refuses is 'badInput' and names the setting
 * (`where`); `manual`: the statement in whose words names and values are.
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
