import { describe, expect, test, vi } from 'vitest';
import { Sfc32 } from '#stats/random/random.ts';
import { drawService, type Service, theory } from './service-plan.fixture.ts';
import { measure, openAt } from './truth.fixture.ts';
import { expectTrue, testCases } from './truth-tests.fixture.ts';

/** The short form of `npm run bench -- truth`, with limits that hold on a busy machine. */
vi.setConfig({ testTimeout: 120_000 });

describe('the textbook’s queues', () => {
  /**
   * Mean and 99th percentile of the response times of this number of requests, by the recursion of Kiefer & Wolfowitz
   * 1955.
   */
  function queue(service: Service, load: number, servers: number, requests = 2_000_000) {
    const random = new Sfc32(7);
    const free = Array.from({ length: servers }, () => 0);
    const responses = new Float64Array(requests);
    let now = 0;
    for (let i = 0; i < requests; i++) {
      now += -Math.log(1 - random.unit()) / (load * servers);
      let next = 0;
      for (let server = 1; server < servers; server++) if (free[server]! < free[next]!) next = server;
      free[next] = Math.max(now, free[next]!) + drawService({ service }, random);
      responses[i] = free[next]! - now;
    }
    responses.sort();
    return {
      mean: responses.reduce((sum, ms) => sum + ms, 0) / requests,
      p99: responses[Math.ceil(requests * 0.99) - 1]!,
    };
  }
  const within = (value: number, truth: number, share: number) =>
    expect(Math.abs(value / truth - 1)).toBeLessThan(share);

  test.each([0.5, 0.8, 0.9])(
    'service times are drawn and formulae written as the books have them, at load %d',
    (load) => {
      // A run of two million requests is this close to an infinite one.
      const near = load === 0.9 ? 0.03 : 0.01;
      const mm1 = queue({ kind: 'exponential', meanMs: 1 }, load, 1);
      within(mm1.mean, theory.mm1(1, load), near);
      within(mm1.p99, theory.mm1P99(1, load), near * 2);
      within(queue({ kind: 'constant', meanMs: 1 }, load, 1).mean, theory.md1(1, load), near);
      within(queue({ kind: 'exponential', meanMs: 1 }, load, 4).mean, theory.mmc(1, load, 4), near);
      expect(theory.mmc(1, load, 1)).toBeCloseTo(theory.mm1(1, load), 9);
    },
  );

  test('lognormal and bimodal service times have their means', () => {
    const random = new Sfc32(3);
    for (const [service, meanMs] of [
      [{ kind: 'lognormal', meanMs: 5, sigma: 1 }, 5],
      [{ kind: 'bimodal', fastMs: 1, slowMs: 10, slowShare: 0.02 }, 1.18],
    ] as const) {
      const drawn = Array.from({ length: 1_000_000 }, () => drawService({ service }, random));
      within(drawn.reduce((sum, ms) => sum + ms, 0) / drawn.length, meanMs, 0.01);
    }
  });
});

describe('a server that keeps a log', () => {
  testCases(/M\/D\/1 at 50 %$|M\/M\/4|loop/);

  test('requests that arrive while the server stalls for a second have waited for it', async () => {
    const measured = await measure(
      {
        name: 'stall',
        plan: { service: { kind: 'constant', meanMs: 5 }, servers: 1, seed: 14, stall: { atRequest: 150, ms: 1_000 } },
        settings: openAt(0.5, 5),
        meanMs: null,
        p99Ms: null,
      },
      4,
      0.3,
    );
    expectTrue(measured);
    // A closed loop would have seen one slow call of 400.
    expect(measured.log.percentileMs(75)).toBeGreaterThan(100);
    expect(measured.client.percentileMs(100)).toBeGreaterThanOrEqual(1_000);
  });
});
