import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { dyno } from '#integration/cli.fixture.ts';
import { experimentYaml, testHome } from '#integration/home.fixture.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { listening } from '#platform/listening.fixture.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 180_000 });

/** The second experiment has no plan, because its statement is really two. */
const experiments = {
  'with a plan': {},
  'without a plan': {
    workload: '{ operation: statement, method: bind }',
    statements: '{ s: { text: "SELECT 1; SELECT 2" } }',
  },
};

it.each(
  (['test', 'clean'] as const).flatMap((command) =>
    Object.entries(experiments).map(([what, parts]) => [command, what, parts] as const),
  ),
)(
  '%s of a target that a file from elsewhere writes out, %s, connects after --trust alone',
  async (command, _, parts) => {
    await using test = testHome();
    let connections = 0;
    await using server = await listening((socket) => {
      connections++;
      socket.destroy();
    });
    const file = join(temporaryFolder(), 'sent.dyno.yaml');
    const target = `{ name: theirs, engine: postgres, host: 127.0.0.1, port: ${server.port}, user: u, database: d, password: '\${env:CANARY}', ssl: disable }`;
    writeFileSync(file, experimentYaml({ ...parts, targets: `\n  - ${target}` }));
    process.env.CANARY = 'secret';
    try {
      const refused = await dyno(test.home, command, 'theirs', '--in', file);
      expect(refused.code).toBe(exitCodes.badExperiment);
      expect(refused.err).toContain('came from elsewhere');
      expect(refused.err).toMatch(/sends them the values of environment variables:\n +CANARY/);
      expect(refused.err).toContain(`port ${server.port}`);
      expect(connections).toBe(0);
      await dyno(test.home, command, 'theirs', '--in', file, '--trust');
      expect(connections).toBeGreaterThan(0);
      const again = await dyno(test.home, command, 'theirs', '--in', file);
      expect(again.err, 'the rest of the file has not been looked at').toContain('came from elsewhere');
    } finally {
      delete process.env.CANARY;
    }
  },
);
