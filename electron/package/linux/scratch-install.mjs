import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The ways to install each Linux package below a folder in place of "/", by root and by an ordinary user. `needs` names
 * the programs for it. `install({ file, folder, home, call })` runs them by `call(program, args)` and resolves with the
 * prefix (what /usr is of a .deb), and with `remove` where the package brings what removes it. The libraries that the
 * packages depend on are the machine's.
 */
export const scratchInstalls = {
  deb: {
    root: { needs: ['dpkg'], install: dpkg },
    user: {
      needs: ['dpkg-deb'],
      install: async ({ file, home, call }) => {
        await call('dpkg-deb', ['-x', file, home]);
        return { prefix: join(home, 'usr') };
      },
    },
  },
  rpm: {
    root: {
      needs: ['rpm'],
      install: async ({ file, folder, call }) => {
        // A separate database of installed packages, created by the first command. The folder's "/" must exist.
        const rpm = (...args) => call('rpm', ['--root', folder, ...args]);
        await rpm('--initdb');
        await rpm('--nodeps', '--nosignature', '-i', file);
        await rpm('-V', '--nodeps', 'dyno');
        return { prefix: join(folder, 'usr'), remove: () => rpm('--nodeps', '-e', 'dyno') };
      },
    },
    user: {
      needs: ['rpm2cpio', 'cpio'],
      install: async ({ file, home, call }) => {
        await call('sh', ['-c', 'rpm2cpio "$0" | cpio -idm --quiet', file]);
        return { prefix: join(home, 'usr') };
      },
    },
  },
  tar: {
    root: { needs: ['tar'], install: (trial) => untar(trial, ['--prefix', join(trial.folder, 'usr/local')]) },
    user: { needs: ['tar'], install: (trial) => untar(trial, []) },
  },
  run: {
    root: { needs: [], install: (trial) => selfExtract(trial, ['--prefix', join(trial.folder, 'usr/local')]) },
    user: { needs: [], install: (trial) => selfExtract(trial, []) },
  },
};

async function dpkg({ file, folder, call }) {
  const database = join(folder, 'var/lib/dpkg');
  for (const name of ['info', 'triggers', 'updates']) await mkdir(join(database, name), { recursive: true });
  for (const name of ['status', 'available']) await writeFile(join(database, name), '');
  const run = (...args) => call('dpkg', [`--root=${folder}`, '--force-depends', '--force-unsafe-io', ...args]);
  await run('--install', file);
  return { prefix: join(folder, 'usr'), remove: () => run('--purge', 'dyno') };
}

async function untar({ file, home, call }, prefix) {
  await call('tar', ['-xzf', file, '-C', home]);
  const [unpacked] = (await call('ls', [home])).trim().split('\n');
  await call('sh', [join(home, unpacked, 'install.sh'), ...prefix]);
  return installed({ home, call }, prefix);
}

async function selfExtract({ file, home, call }, prefix) {
  await call('sh', [file, '--', ...prefix]);
  return installed({ home, call }, prefix);
}

/** install.sh chooses ~/.local without a prefix. */
function installed({ home, call }, [, prefix = join(home, '.local')]) {
  const remove = () => call('sh', [join(prefix, 'lib/dyno/install.sh'), '--prefix', prefix, '--remove']);
  return { prefix, remove };
}
