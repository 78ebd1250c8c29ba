import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toErrorData } from '#model/error.ts';
import { publicFolder } from './process/account.ts';
import { requireKind } from './servers/kinds.ts';
import type { SharedServer } from './shared-server.fixture.ts';

// Runs one server for all test files, until SIGTERM or the end of the test run. Arguments: the kind, the folder of
// shared servers, the process of the test run.
const [id = '', folder = '', owner] = process.argv.slice(2);
writeFileSync(join(folder, `${id}.pid`), String(process.pid));

function tell(started: SharedServer): void {
  const file = join(folder, `${id}.json`);
  writeFileSync(`${file}.new`, JSON.stringify(started), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

try {
  const own = join(folder, id);
  const server = await requireKind(id).start(own, (text) => console.log(text));
  const leave = async () => {
    await server.stop();
    rmSync(publicFolder(own), { recursive: true, force: true, maxRetries: 5 });
    process.exit();
  };
  process.on('SIGTERM', () => void leave());
  setInterval(() => {
    try {
      process.kill(Number(owner), 0);
    } catch {
      void leave();
    }
  }, 1_000);
  tell({ raw: server.raw, admin: server.admin });
} catch (thrown) {
  tell({ error: toErrorData(thrown) });
}
