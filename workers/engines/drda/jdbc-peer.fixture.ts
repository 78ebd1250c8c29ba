import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { derbyServer } from '#managed-servers/install/products/derby.ts';
import { requireJava } from '#managed-servers/install/products/java-server.ts';
import { serverEnvironment } from '#managed-servers/process/server-process.ts';
import { propertiesText } from '#managed-servers/servers/java-properties.ts';
import type { DrdaConfig } from './config.ts';

/** Time and CPU of a piece of work. */
export interface Effort {
  readonly ms: number;
  readonly cpuMs: number;
}

/** Derby's own JDBC client at work in a process of its own, warm from one command to the next. */
export interface JdbcPeer extends AsyncDisposable {
  insert(rows: number, batch: number): Promise<Effort>;
  read(connections: number, reads: number, commitEach: boolean): Promise<Effort>;
}

/** The work of one comparison; `rows`: a file, see JdbcPeer.java. */
interface PeerWork {
  readonly insert: string;
  readonly select: string;
  readonly rows: string;
}

const source = fileURLToPath(new URL('jdbc-peer/JdbcPeer.java', import.meta.url));

export function startJdbcPeer(target: DrdaConfig, work: PeerWork): JdbcPeer {
  const { jdk, classPath } = requireJava(derbyServer);
  const child = spawn(jdk.java, ['-cp', classPath, source], {
    env: serverEnvironment(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { host, port, database, user, password } = target;
  const url = `jdbc:derby://${host}:${port}/${database}`;
  child.stdin.write(`${propertiesText({ url, user, password: password ?? '', ...work })}\n`);
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ask = async (command: string): Promise<Effort> => {
    child.stdin.write(`${command}\n`);
    const { value } = await answers.next();
    if (value === undefined) throw new Error(`The JDBC client ended at “${command}”; what it said stands above.`);
    const [ms = Number.NaN, cpuMs = Number.NaN] = String(value)
      .split(' ')
      .map((ns) => Number(ns) / 1e6);
    return { ms, cpuMs };
  };
  return {
    insert: (rows, batch) => ask(`insert ${rows} ${batch}`),
    read: (connections, reads, commitEach) => ask(`read ${connections} ${reads} ${commitEach}`),
    async [Symbol.asyncDispose]() {
      const gone = child.exitCode === null ? once(child, 'exit') : null;
      child.stdin.end();
      await gone;
    },
  };
}
