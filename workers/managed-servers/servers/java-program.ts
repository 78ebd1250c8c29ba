import { delimiter } from 'node:path';
import { type JavaServer, requireJava } from '../install/products/java-server.ts';
import type { ServerAccount } from '../process/account.ts';
import { programFor } from '../process/programs.ts';

/** Java and the class path of a server, where the server's account can read them. Throws 'unsupported' with advice. */
export function javaProgram(
  server: JavaServer,
  account: ServerAccount | null,
  onActivity: (text: string) => void,
): { readonly java: string; readonly classPath: string } {
  const { jdk, folder, classPath } = requireJava(server);
  return {
    java: programFor(jdk.java, jdk.home, account, onActivity),
    classPath: classPath
      .split(delimiter)
      .map((path) => programFor(path, folder, account, onActivity))
      .join(delimiter),
  };
}
