import { DynoError } from '#model/error.ts';
import type { Parameter } from './connection-strings.ts';

/** Settings that programs write several times, and whose values add up. */
const repeatable = /^(options|sessionvariables)$/;

/**
 * Checks that no setting comes twice: one library takes the first value, another one the last, and a third one takes
 * both as hosts.
 * @throws DynoError 'badInput' for two values. The message has no name, because the name may be a part of a password.
 */
export function requireOnce(settings: readonly Parameter[]): readonly Parameter[] {
  const values = new Map<string, string>();
  for (const [written, value] of settings) {
    const name = written.toLowerCase().replaceAll(/[\s_-]/g, '');
    if (!repeatable.test(name) && (values.get(name) ?? value) !== value)
      throw new DynoError('badInput', 'It has a setting twice, with different values.', {
        hint: 'Write each setting once, and name the one host that is to be measured.',
      });
    values.set(name, value);
  }
  return settings;
}
