import { oracleEmulatorName, withOracleEmulator } from '../oracle-emulator.fixture.ts';
import { testOnServer } from './on-server.fixture.ts';

testOnServer('oracle', oracleEmulatorName, withOracleEmulator);
