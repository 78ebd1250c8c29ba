import type { ReportedSettings } from '#model/settings/session-settings.ts';

/**
 * The values of settings over several sessions: the value that all of them have, or their values in order of
 * appearance, separated by “; ”. Null: the server does not tell the value of one of them.
 */
export const mergeReported = (names: readonly string[], all: readonly ReportedSettings[]): ReportedSettings =>
  Object.fromEntries(
    names.map((name) => {
      const values = [...new Set(all.map((one) => one[name] ?? null))];
      return [name, values.length === 0 || values.includes(null) ? null : values.join('; ')];
    }),
  );
