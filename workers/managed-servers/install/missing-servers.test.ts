import { expect, test } from 'vitest';
import { jdkAdvice } from './jdk.ts';
import { commandsIn, missingServers, offerIn } from './missing-servers.ts';

test('a fix that names a tool of Dyno offers its installation', () => {
  expect(offerIn('`dyno servers install mongod`, or MongoDB Community Server of your own.')?.tool).toBe('mongod');
  expect(offerIn('dyno servers install seerdb')?.about).toContain('MB');
  expect(offerIn(jdkAdvice())).toBeNull();
  expect(offerIn('`dyno servers install no-such-tool`')).toBeNull();
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
