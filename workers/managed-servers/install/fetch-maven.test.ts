import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { errorOf } from './error-of.fixture.ts';
import { fetchMaven, type MavenJar } from './fetch-maven.ts';

let folder: string;
let target: string;
beforeEach(() => {
  folder = temporaryFolder();
  target = join(folder, 'target');
  for (const path of [join(folder, 'bin'), target]) mkdirSync(path);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const content = 'a jar';
const jar: MavenJar = {
  group: 'org.example.thing',
  artifact: 'thing',
  version: '1.2',
  sha256: createHash('sha256').update(content).digest('hex'),
};

/** The user's Maven: `script` runs in the folder of the pom, where the jars belong. */
function maven(script: string): void {
  const file = join(folder, 'bin', 'mvn');
  const text = `#!/bin/sh\ncp "$4" '${join(folder, 'seen.xml')}'\ncd "$(dirname "$4")"\n${script}\n`;
  writeFileSync(file, text, { mode: 0o755 });

  vi.stubEnv('PATH', `${join(folder, 'bin')}${delimiter}${process.env.PATH}`);
}

/** No Maven anywhere, and what answers over HTTPS. */
function central(answer: (address: string) => Response): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    return answer(address);
  });
  return asked;
}

describe.skipIf(process.platform === 'win32')('fetching from Maven Central', () => {
  it('takes the files from the user’s Maven, and asks for nothing but them', async () => {
    maven(`printf '%s' '${content}' > thing-1.2.jar`);
    const asked = central(() => new Response(null, { status: 500 }));
    await fetchMaven([jar], target, () => {});
    expect(readFileSync(join(target, 'thing-1.2.jar'), 'utf8')).toBe(content);
    expect(readdirSync(folder).sort()).toEqual(['bin', 'seen.xml', 'target']);
    expect(readFileSync(join(folder, 'seen.xml'), 'utf8')).toContain(
      '<artifactItem><groupId>org.example.thing</groupId><artifactId>thing</artifactId><version>1.2</version></artifactItem>',
    );
    expect(asked).toEqual([]);
  });

  it('goes straight to Maven Central where Maven cannot', async () => {
    maven('echo "no plugin here"; exit 1');
    const asked = central(() => new Response(content));
    await fetchMaven([jar], target, () => {});
    expect(asked).toEqual(['https://repo1.maven.org/maven2/org/example/thing/thing/1.2/thing-1.2.jar']);
    expect(readdirSync(target)).toEqual(['thing-1.2.jar']);
  });

  it.each(['Maven', 'HTTPS'])('uses nothing from %s that has another checksum', async (way) => {
    maven(way === 'Maven' ? 'echo other > thing-1.2.jar' : 'exit 1');
    central(() => new Response('other'));
    const error = await errorOf(fetchMaven([jar], target, () => {}));
    expect(error.message).toContain('thing-1.2.jar is not the file Dyno knows');
    expect(readdirSync(target)).toEqual([]);
  });

  it('tells what both have said where neither has it', async () => {
    maven('echo "no such mirror"; exit 1');
    central(() => new Response(null, { status: 404 }));
    const error = await errorOf(fetchMaven([jar], target, () => {}));
    expect(error.data.kind).toBe('unreachable');
    expect(error.message).toMatch(
      /thing-1\.2\.jar could not be fetched: HTTP status 404\. Maven had said: no such mirror/,
    );
  });
});
