import { describe, expect, it } from 'vitest';
import { redact } from './redact.ts';

const secret = 'p@ss wörd/7?';
const hex = Buffer.from(secret).toString('hex');

describe('a secret that a server repeats is replaced', () => {
  it.each([
    ['as it is', secret],
    ['URL-encoded', encodeURIComponent(secret)],
    ['URL-encoded in lower case', encodeURIComponent(secret).toLowerCase()],
    ['URL-encoded as of a form', encodeURIComponent(secret).replaceAll('%20', '+')],
    ['with every byte encoded', hex.toUpperCase().replaceAll(/../g, '%$&')],
    ['in base64', Buffer.from(secret).toString('base64').replaceAll('=', '')],
    ['in base64 of URLs', Buffer.from(secret).toString('base64url')],
    ['in hexadecimal digits', hex],
    ['in capital hexadecimal digits', hex.toUpperCase()],
  ])('%s', (_, form) => {
    expect(redact(`login failed: <${form}>`, [secret])).toBe('login failed: <•••>');
  });

  it.each(['', 'a', 'ab', 'user:', 'longer:'])('in base64 behind “%s”, and before more', (before) => {
    const told = Buffer.from(`${before}${secret}\n`).toString('base64');
    const clean = redact(told, [secret]);
    expect(clean).toContain('•••');
    // The rest holds no byte of it except those at its ends.
    expect(Buffer.from(clean.replace('•••', ''), 'base64').toString('latin1')).not.toContain('ss w');
  });
});

it('other words stay, and secrets that are too short', () => {
  expect(redact('host is down, abc', [secret, 'is', ''])).toBe('host is down, abc');
});
