import { describe, expect, it } from 'vitest';
import type { Isolation } from '#model/settings/vocabulary.ts';
import { fingerprintOf } from '../../run-model/journal-parts.fixture.ts';
import { type MadeRun, onlyShown, outcomesOf } from '../shared/findings.fixture.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import { settingsDiffer } from './settings-differ.ts';

describe('settingsDiffer', () => {
  const fingerprint = (durability: Readonly<Record<string, string>>) =>
    fingerprintOf({ product: 'Server', durability });
  const pair = (a: string, b: string, address = '127.0.0.1:1/x'): MadeRun => ({
    targets: [
      { name: 'a', fingerprint: fingerprint({ synchronous_commit: a }) },
      { name: 'b', address, fingerprint: fingerprint({ synchronous_commit: b }) },
    ],
  });
  it('names the differences', () => {
    const shown = onlyShown(settingsDiffer, pair('on', 'off'));
    expect(shown).toMatchObject({ confidence: 'certain', cell: null });
    expect(shown.claim).toContain('synchronous_commit (a on; b off)');
    expect(pictureText(shown)).toBe('Settings that differ: synchronous_commit: on, off');
    expect(onlyShown(settingsDiffer, pair('on', 'on', 'db.example.com:1/x')).claim).toContain('loopback');
  });
  /** A server with a default of no isolation that offers some on request, beside a server with read committed. */
  const isolated = (isolation: Isolation): MadeRun => ({
    workload: { isolation },
    targets: [
      {
        name: 'a',
        descriptor: {
          id: 'family',
          isolations: { readCommitted: 'CS', repeatableRead: 'RS' },
        },
        fingerprint: fingerprint({ 'default isolation': 'NONE: a rollback undoes nothing' }),
      },
      {
        name: 'b',
        descriptor: {
          isolations: {
            readCommitted: 'READ COMMITTED',
            repeatableRead: 'REPEATABLE READ',
            snapshot: 'REPEATABLE READ',
          },
        },
        fingerprint: fingerprint({ transaction_isolation: 'READ-COMMITTED' }),
      },
    ],
  });
  it("quotes the isolation that the variants request, not the sessions' default", () => {
    expect(onlyShown(settingsDiffer, isolated('default')).claim).toContain(
      'isolation (a NONE: a rollback undoes nothing; b READ-COMMITTED)',
    );
    expect(onlyShown(settingsDiffer, isolated('repeatableRead')).claim).toContain(
      'isolation (a repeatable read (RS); b snapshot (REPEATABLE READ))',
    );
    expect(outcomesOf(settingsDiffer, isolated('readCommitted')).map(({ status }) => status)).not.toContain('shown');
    const both = { ...isolated('default'), factors: { isolation: ['default', 'readCommitted'] } };
    expect(onlyShown(settingsDiffer, both).claim).toContain(
      'a NONE: a rollback undoes nothing; by variants read committed (CS); b READ-COMMITTED; by variants read committed',
    );
  });
  it('is silent for targets that are alike, and for one alone', () => {
    expect(outcomesOf(settingsDiffer, pair('on', 'on'))[0]!.status).toBe('notShown');
    expect(outcomesOf(settingsDiffer, {})[0]!.status).toBe('notShown');
  });
});
