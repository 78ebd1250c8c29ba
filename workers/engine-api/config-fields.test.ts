import { describe, expect, it } from 'vitest';
import { DynoError } from '#model/error.ts';
import type { ConfigField } from './config.ts';
import { given, readFields, readUrl, refuseOthers } from './config-fields.ts';

const fields: readonly ConfigField[] = [
  { name: 'host', label: 'Host', kind: 'text' },
  { name: 'port', label: 'Port', kind: 'number', min: 1, max: 65_535 },
  { name: 'password', label: 'Password', kind: 'password' },
  { name: 'mode', label: 'Mode', kind: 'choice', choices: ['off', 'on'] },
  { name: 'verbose', label: 'Verbose', kind: 'boolean' },
  { name: 'settings', label: 'Settings', kind: 'map' },
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

describe('readUrl', () => {
  const url = (text: unknown) => readUrl('Test', ['test', 'tests'], text, 'test://user@host/db');

  it('takes a URL apart, percent-decoded', () => {
    expect(url('TEST://us%40er:p%2Fw%3A@db.example:99/a%20b?x=1&y=%26')).toEqual({
      scheme: 'test',
      user: 'us@er',
      password: 'p/w:',
      host: 'db.example',
      port: 99,
      path: 'a b',
      parameters: { x: '1', y: '&' },
    });
    expect(url('tests://[::1]/')).toMatchObject({ host: '::1', port: null, user: null, path: null, parameters: {} });
    expect(url('test:///db')).toMatchObject({ host: null, path: 'db' });
  });

  it('refuses others without repeating them', () => {
    for (const wrong of [
      `http://u:${canary}@h`,
      `test://u:${canary}%zz@h`,
      `test://u:${canary}@h:port/d`,
      `test://u:${canary}@a,b/d`,
      `test://u:${canary}@h@g/d`,
      canary,
      7,
      null,
    ]) {
      const message = refusal(() => url(wrong));
      expect(message).toMatch(/^badInput/);
      expect(message).not.toContain(canary);
    }
  });

  it('refuses parameters that would be passed over, naming the nearest one', () => {
    const parts = url('test://h/d?sslmod=require');
    expect(refusal(() => refuseOthers('Test', parts, ['sslmode']))).toMatch(/"sslmod".*`sslmode`/);
    expect(() => refuseOthers('Test', parts, ['sslmod'])).not.toThrow();
  });

  it('does not repeat a parameter that may hold the password of another URL', () => {
    const parts = url(`test://h/d?ssltest://user:${canary}@h/d`);
    expect(refusal(() => refuseOthers('Test', parts, ['sslmode']))).not.toContain(canary);
  });

  it('gives only what the URL says', () => {
    expect(given({ host: 'h', port: null, user: undefined, path: '' })).toEqual({ host: 'h', path: '' });
  });
});
