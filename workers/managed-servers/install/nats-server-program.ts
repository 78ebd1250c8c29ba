import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, toolsFolder } from './tools.ts';

export const natsServerVersion = '2.15.1';

export const natsServerFolder = (): string => join(toolsFolder(), `nats-server-${natsServerVersion}`);

/** The program's name in the wheel and in its folder. */
export const natsServerFile = process.platform === 'win32' ? 'nats-server.exe' : 'nats-server';

/** The installed nats-server, else the system's (Debian 12 has 2.9, which is new enough). Null: there is none. */
export function findNatsServer(): string | null {
  const installed = join(natsServerFolder(), natsServerFile);
  return existsSync(installed) ? installed : findProgram(['nats-server']);
}
