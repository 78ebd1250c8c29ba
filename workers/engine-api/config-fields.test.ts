import { describe, expect, it } from 'vitest';
import { DynoError } from '#model/error.ts';
import type { ConfigField } from './config.ts';
import { given, readFields } from './config-fields.ts';

const fields: readonly ConfigField[] = [
  { name: 'host', label: 'Host', kind: 'text', localUse: 'plain' },
  { name: 'port', label: 'Port', kind: 'number', min: 1, max: 65_535, localUse: 'plain' },
  { name: 'password', label: 'Password', kind: 'password', localUse: 'plain' },
  { name: 'mode', label: 'Mode', kind: 'choice', choices: ['off', 'on'], localUse: 'plain' },
  { name: 'verbose', label: 'Verbose', kind: 'boolean', localUse: 'plain' },
  { name: 'settings', label: 'Settings', kind: 'map', localUse: 'plain' },
];
const canary = 'c4nary';
const read = (raw: Record<string, unknown>) => {
  const reader = readFields('Test', fields, raw);
  return {
    host: reader.text('host'),
    port: reader.whole('port', 1_234),
    password: reader.text('password'),
    mode: reader.choice('mode', ['off', 'on'], 'off'),
    verbose: reader.flag('verbose', false),
    settings: reader.map('settings'),
  };
};
const refusal = (use: () => unknown): string => {
  try {
    use();
    return 'accepted';
  } catch (thrown) {
    if (thrown instanceof DynoError) return `${thrown.data.kind}: ${thrown.message} ${thrown.data.hint}`;
    throw thrown;
  }
};

describe('readFields', () => {
  it('takes absent, null and empty for not given', () => {
    const defaultValue = { host: null, port: 1_234, password: null, mode: 'off', verbose: false, settings: {} };
    expect(read({})).toEqual(defaultValue);
    expect(read({ host: '', port: null, mode: '', settings: null })).toEqual(defaultValue);
  });

  it('reads values as they are, choices in any case, maps as text', () => {
    expect(read({ host: 'h', port: 5, mode: 'ON', verbose: true, settings: { a: 1, b: false } })).toMatchObject({
      host: 'h',
      port: 5,
      mode: 'on',
      verbose: true,
      settings: { a: '1', b: 'false' },
    });
  });

  it.each([
    [{ prot: 1 }, '"prot"', 'port'],
    [{ port: '5' }, 'port must be a whole number from 1 to 65535'],
    [{ port: 0 }, 'port'],
    [{ port: 1.5 }, 'port'],
    [{ host: 1 }, 'host must be text'],
    [{ mode: 'maybe' }, 'one of off, on'],
    [{ verbose: 'yes' }, 'true or false'],
    [{ settings: ['x'] }, 'map'],
    [{ settings: { x: { y: 1 } } }, 'settings.x'],
  ])('%j is refused, naming what is wrong', (raw, ...expected) => {
    const message = refusal(() => read(raw));
    expect(message).toMatch(/^badInput/);
    for (const part of expected) expect(message).toContain(part);
  });

  it('never repeats a value', () => {
    for (const name of ['port', 'mode', 'verbose', 'settings'])
      expect(refusal(() => read({ [name]: canary }))).not.toContain(canary);
  });
});

it('gives only what is there', () => {
  expect(given({ host: 'h', port: null, user: undefined, path: '' })).toEqual({ host: 'h', path: '' });
});
