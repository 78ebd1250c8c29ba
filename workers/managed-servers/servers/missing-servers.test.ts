import { expect, test } from 'vitest';
import { installables } from '../install/install.ts';
import { jdkAdvice } from '../install/jdk.ts';
import { findProgram } from '../install/tools.ts';
import { commandsIn, missingServers, offerFor } from './missing-servers.ts';

const able = async () => null;

test('a fix that names a tool of Dyno offers its installation', async () => {
  const tools = installables.map((one) => ({ ...one, lacks: able }));
  const offered = async (fix: string) => (await offerFor({ what: 'x', fix }, tools)).install;
  expect((await offered('`dyno servers install mongod`, or MongoDB Community Server of your own.'))?.tool).toBe(
    'mongod',
  );
  expect((await offered('dyno servers install seerdb'))?.about).toContain('MiB');
  expect(await offered(jdkAdvice({ from: 17 }))).toBeNull();
  expect(await offered('`dyno servers install no-such-tool`')).toBeNull();
});

test('where a program is missing that the installation needs, its command comes in place of the button', async () => {
  const lacks = async () => ({ what: 'Python has no pip.', fix: 'Debian: sudo apt install python3-pip.' });
  const tool = { name: 'thing', about: 'a thing', lacks };
  expect(await offerFor({ what: 'There is no thing.', fix: 'dyno servers install thing' }, [tool])).toEqual({
    what: 'There is no thing. To install it from here: Python has no pip.',
    fix: 'Debian: sudo apt install python3-pip.',
    install: null,
    commands: commandsIn('sudo apt install python3-pip', (name) => findProgram([name]) !== null),
  });
});

test('the commands of a fix are those of the package managers that the machine has', () => {
  const fix =
    'Debian, Ubuntu: sudo apt install mariadb-server (and, to keep the one it starts from running: sudo systemctl disable --now mariadb). Fedora: sudo dnf install mariadb-server.';
  expect(commandsIn(fix, () => true)).toEqual(['sudo apt install mariadb-server', 'sudo dnf install mariadb-server']);
  expect(commandsIn(fix, (program) => program === 'dnf')).toEqual(['sudo dnf install mariadb-server']);
  expect(commandsIn('brew install openjdk@17, or set JAVA_HOME.', () => true)).toEqual(['brew install openjdk@17']);
  expect(
    commandsIn('Debian 12: sudo apt-get install postgresql-15 postgresql-15-orafce. Elsewhere: x', () => true),
  ).toEqual(['sudo apt-get install postgresql-15 postgresql-15-orafce']);
  expect(commandsIn('Give a server of your own as a target.', () => true)).toEqual([]);
});

test('every server that is missing here says what is missing and what to do', async () => {
  for (const [target, { what, fix }] of Object.entries(await missingServers())) {
    expect(what, target).toMatch(/\.$/);
    expect(fix, target).not.toBe('');
  }
});
