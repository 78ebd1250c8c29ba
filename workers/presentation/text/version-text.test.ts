import { describe, expect, it } from 'vitest';
import { madeRun } from '#analysis/findings/shared/findings.fixture.ts';
import { fingerprintOf } from '#analysis/run-model/journal-parts.fixture.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import { answerOf } from './answer.ts';

/** Two targets of one engine; the first is the faster one. */
const answer = (one: Parameters<typeof fingerprintOf>[0], other: Parameters<typeof fingerprintOf>[0]) => {
  const run = madeRun({
    targets: [
      { name: 'thing@2', engine: 'thing', fingerprint: fingerprintOf(one) },
      { name: 'thing@1', engine: 'thing', fingerprint: fingerprintOf(other) },
    ],
    trial: ({ target, repeat }) => ({ rate: (target === 'thing@2' ? 2_000 : 1_000) * (1 + 0.005 * (repeat % 3)) }),
  });
  return answerOf(run, baselineOf(run));
};

describe('an answer that compares versions', () => {
  it('names the versions that the servers reported, and the version as what differs', () => {
    const { headline, facts, sentences } = answer(
      { product: 'Thing 2.4', version: '2.4' },
      { product: 'Thing 1.9', version: '1.9' },
    );
    expect(headline).toMatch(/^thing@2 \(Thing 2\.4\) is \S+ \(\S+\) as fast as thing@1 \(Thing 1\.9\)$/);
    expect(facts[0]?.slice(0, 2)).toEqual(['What differs', 'the version']);
    expect(sentences[1]).toBe('What differs: the version.');
  });

  it('names settings that differ with the version', () => {
    const { facts } = answer(
      { product: 'Thing 2.4', version: '2.4', durability: { checksums: 'on' } },
      { product: 'Thing 1.9', version: '1.9', durability: { checksums: 'off' } },
    );
    expect(facts[0]?.[1]).toBe('the version, and settings of the servers: checksums');
  });

  it('calls two products of one engine products', () => {
    const { facts } = answer({ product: 'Other 8.4', version: '8.4' }, { product: 'Thing 1.9', version: '1.9' });
    expect(facts[0]?.[1]).toBe('the product');
  });

  it('says nothing of versions where both are the same', () => {
    const same = { product: 'Thing 2.4', version: '2.4' };
    const { headline, facts } = answer(same, same);
    expect(headline).toMatch(/^thing@2 is /);
    expect(facts.map(([name]) => name)).not.toContain('What differs');
  });
});
