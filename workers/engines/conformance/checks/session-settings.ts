import { describe, expect, test } from 'vitest';
import type { Suite } from '../suite.ts';

export function testSessionSettings(suite: Suite): void {
  const { descriptor, options } = suite;
  describe('settings of sessions', () => {
    test('sessions report their settings exactly where they can make some', async () => {
      await using session = await suite.database.openSession(options);
      expect(session.readSettings !== undefined).toBe(descriptor.sessionSettings !== undefined);
    });

    test('sessions report their TLS exactly where they have a choice', async () => {
      await using session = await suite.database.openSession(options);
      expect(session.readTls !== undefined).toBe(descriptor.tls !== undefined);
    });

    test('a setting holds in the session that makes it alone, and is reported as the server has it', async ({
      skip,
    }) => {
      const { sessionSetting } = suite.server;
      if (!descriptor.sessionSettings || !sessionSetting) return skip('Its sessions make no settings here.');
      const [name, value, reported] = sessionSetting;
      await using before = await suite.database.openSession(options);
      const usual = await before.readSettings!([name]);
      expect(usual[name]).not.toBe(reported);
      await using session = await suite.database.openSession(options, 'default', { [name]: value });
      expect(await session.readSettings!([name])).toEqual({ [name]: reported });
      await using after = await suite.database.openSession(options);
      expect(await after.readSettings!([name])).toEqual(usual);
    });

    test('what is no setting has no value', async ({ skip }) => {
      if (!descriptor.sessionSettings) return skip('Its sessions make no settings.');
      await using session = await suite.database.openSession(options);
      expect(await session.readSettings!(['no_such_setting'])).toEqual({ no_such_setting: null });
    });
  });
}
