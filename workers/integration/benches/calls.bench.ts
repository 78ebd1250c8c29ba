import { findPeer } from '#engines/shared/peer-comparison.fixture.ts';
import { besidePeer, printPairs, versionOf } from './beside-peer.fixture.ts';
import { mysqlCalls } from './mysql-calls.fixture.ts';
import { postgresCalls } from './postgres-calls.fixture.ts';

/**
 * Whole trials of short calls beside the tools in C that make the same calls on the same server: trial by trial in
 * turns. DYNO_BENCH_CASE: part of a case's name; DYNO_BENCH_ROUNDS: pairs of trials of each.
 */
const rounds = Number(process.env.DYNO_BENCH_ROUNDS ?? 5);
const wanted = process.env.DYNO_BENCH_CASE ?? '';
const changes = process.env.DYNO_BENCH_SET?.split(';') ?? [];

for (const open of [postgresCalls, mysqlCalls]) {
  await using calls = await open();
  for (const { name, title, peer, run } of calls.cases) {
    if (!name.includes(wanted)) continue;
    const program = findPeer(peer.programs, `Debian: ${peer.package}`);
    if (program === null) continue;
    const pairs = await besidePeer(run(rounds, changes), (trial) => peer.run(program, trial));
    printPairs(title, `${peer.name} (${await versionOf(program)})`, pairs, calls.product);
  }
}
