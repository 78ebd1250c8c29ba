import { expect, it } from 'vitest';
import { DynoError } from '#model/error.ts';
import { cleaned } from './worker-errors.ts';

it('an error of many megabytes is shortened, behind the look for secrets', () => {
  const secret = 'c4nary-s3cret';
  const long = `${'x'.repeat(7_995)}${secret}${'x'.repeat(20_000_000)}`;
  const { message, hint } = cleaned(new DynoError('other', long, { hint: long }).data, [secret]).data;
  for (const text of [message, hint!]) {
    expect(text.length).toBeLessThan(8_100);
    expect(text).not.toContain(secret.slice(0, 5));
  }
});
