import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AgentClock } from './clock.ts';

const second = 1_000_000_000n;

test('times of a clock that is off are translated to within the error that is claimed', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -5n * second, max: 3_600n * second }),
      fc.array(fc.tuple(fc.integer({ min: 1_000, max: 50_000_000 }), fc.double({ min: 0, max: 1, noNaN: true })), {
        minLength: 1,
        maxLength: 20,
      }),
      (offset, pings) => {
        const clock = new AgentClock();
        for (const [roundTrip, there] of pings) {
          const answered = process.hrtime.bigint();
          const sent = answered - BigInt(roundTrip);
          clock.add(sent, answered, sent + BigInt(Math.round(roundTrip * there)) + offset, Date.now(), 0);
        }
        const now = process.hrtime.bigint();
        const off = Number(BigInt(clock.fromAgent(String(now + offset))) - now) / 1e6;
        expect(Math.abs(off)).toBeLessThanOrEqual(clock.errorMs + 1e-3);
        expect(clock.fromAgent(clock.toAgent(String(now)))).toBe(String(now));
      },
    ),
    { numRuns: 200 },
  );
});

test('a wall clock that is 5 s ahead is told, and changes no translated time', () => {
  const clock = new AgentClock();
  const answered = process.hrtime.bigint();
  clock.add(answered - 2_000_000n, answered, answered - 1_000_000n, Date.now() + 5_000, 0);
  expect(clock.wallOffMs).toBeGreaterThan(4_000);
  expect(Number(BigInt(clock.fromAgent(String(answered))) - answered)).toBe(0);
});

test('the time in which an agent works on its answer is no part of the round trip', () => {
  const clock = new AgentClock();
  const sent = process.hrtime.bigint();
  clock.add(sent, sent + 5_400_000n, sent + 200_000n, Date.now(), 5_000_000);
  expect(clock.roundTripMs).toBe(0.4);
  expect(clock.fromAgent(String(sent))).toBe(String(sent));
});
