import { oracleEmulator } from '#engines/oracle/emulator/oracle-emulator.fixture.ts';
import { startKind } from '#managed-servers/test-kind.fixture.ts';
import type { Connection } from '#model/connections.ts';
import type { Home } from '#platform/paths.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';

/** The name of the saved connection to the Oracle emulator. */
export const oracleEmulatorName = 'oracle-emulator';

/** Starts the Oracle emulator, and saves a connection to it in the home, for experiments to name as their target. */
export async function withOracleEmulator(home: Home): Promise<AsyncDisposable> {
  const server = await startKind(oracleEmulator);
  const { password, ...values } = server.raw;
  openConnectionStore(home).save({
    id: null,
    name: oracleEmulatorName,
    engine: 'oracle',
    values: values as Connection['values'],
    passwords: { password: { command: [process.execPath, '-p', JSON.stringify(password)] } },
  });
  return server;
}
