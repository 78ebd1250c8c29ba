import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { derbyServer } from '../install/products/derby.ts';
import { requireJava } from '../install/products/java-server.ts';
import type { RunningServer } from '../process/server-kind.ts';
import { serverEnvironment } from '../process/server-process.ts';
import { briefJava } from './brief.ts';

interface Login {
  readonly user?: string;
  readonly password?: string;
  /** Attributes of the URL: "ssl=basic". */
  readonly attributes?: string;
}

/** A line for ij(): the following lines run over this connection. */
export function connectTo({ raw }: Pick<RunningServer, 'raw'>, login: Login = {}): string {
  const { user = raw.user, password = raw.password, attributes } = login;
  const url = `jdbc:derby://127.0.0.1:${raw.port}/${raw.database ?? ''}`;
  return `connect '${[url, `user=${user}`, `password=${password}`, attributes].filter(Boolean).join(';')}';`;
}

/** Runs lines (each with its semicolon) by Derby's own `ij` over its own client. What it prints, errors included. */
export async function ij(...lines: readonly string[]): Promise<string> {
  const { jdk, classPath } = requireJava(derbyServer);
  // Otherwise `ij` would leave its log in the working folder.
  const child = spawn(
    jdk.java,
    [
      ...briefJava,
      ...['-Dderby.stream.error.field=java.lang.System.err', '-cp', classPath, 'org.apache.derby.tools.ij'],
    ],
    {
      env: serverEnvironment(),
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  // The lines contain passwords, and nobody else can read standard input.
  child.stdin.end([...lines, 'exit;', ''].join('\n'));
  return text(child.stdout);
}
