import { expect, test } from 'vitest';
import type { ConfigParser } from '#engine-api/config.ts';
import { DynoError } from '#model/error.ts';

type Raw = Readonly<Record<string, unknown>>;

/** A password that shows wherever it leaks: by `leak`, in part, too. It has what URLs have to escape. */
export const canary = 'c4nary s3cret%';
export const leak = /c4n/;

function messageOf(config: ConfigParser, raw: Raw): string {
  try {
    config.parse(raw);
  } catch (error) {
    if (error instanceof DynoError) return `${error.data.kind}: ${error.message} ${error.data.hint}`;
    throw error;
  }
  return 'accepted';
}

/** Tests that targets are refused as 'badInput', in words that say what is wrong. */
export function testRefusals(config: ConfigParser, targets: readonly (readonly [Raw, string])[]): void {
  test.each(targets)('%j is refused, naming what is wrong', (raw, expected) => {
    const message = messageOf(config, raw);
    expect(message).toMatch(/^badInput/);
    expect(message).toContain(expected);
  });
}

/** Tests that URLs are refused without a word of the password "c4nary" in them. */
export function testSilenceOnPasswords(config: ConfigParser, urls: readonly string[]): void {
  test.each(urls)('refusing %s does not repeat its password', (url) => {
    const message = messageOf(config, { url });
    expect(message).toMatch(/^badInput/);
    expect(message).not.toMatch(leak);
  });
}

/** Tests that a network emulator changes where the connections of `raw` go (this port of db.example), and no more. */
export function testThroughEmulator(config: ConfigParser, raw: Raw, port: number): void {
  test('through a network emulator only the connections go elsewhere', () => {
    const parsed = config.parse({ host: 'db.example', ...raw });
    const through = config.through!(parsed, (to) => ({ host: `emulator-of-${to.host}`, port: to.port + 1 }));
    expect(through).toEqual({ ...parsed, via: { host: 'emulator-of-db.example', port: port + 1 } });
    expect(config.describe(through)).toEqual(config.describe(parsed));
  });
}
