import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { isRoot, root } from '../setup/project.mjs';
import { onPath } from '../setup/window/system-packages.mjs';
import { withXvfb } from '../setup/window/xvfb.mjs';
import { formats } from './formats.mjs';
import { scratchInstalls } from './linux/scratch-install.mjs';

// `npm run try-packages [-- FORMAT…]` tries the Linux packages of dist/packages: as root where root asks, and as an
// ordinary user whose home is empty. It installs each below a temporary folder, looks at its files, runs the starter
// with the installed command line, opens the window by the installed desktop entry on Xvfb, and removes Dyno again.

/** The user that owns nothing, as Linux numbers it. */
const nobody = 65_534;
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const words = process.argv.slice(2);
const wanted = Object.keys(scratchInstalls).filter((name) => words.length === 0 || words.includes(name));

let failures = 0;
for (const name of wanted) {
  const file = join(root, 'dist/packages', formats[name].fileName({ version, arch: process.arch }));
  for (const user of isRoot ? ['root', 'user'] : ['user']) {
    const { needs, install } = scratchInstalls[name][user];
    const missing = needs.filter((program) => onPath(program) === null);
    const said = !existsSync(file)
      ? `not tried: it was not made; npm run package -- ${name}`
      : missing.length > 0
        ? `not tried: ${missing.join(' and ')} is not installed`
        : await tryPackage(file, user, install).catch((error) => {
            failures += 1;
            return `FAILED: ${error.message}`;
          });
    process.stdout.write(`${name} as ${user === 'root' ? 'root' : 'an ordinary user'}: ${said}\n`);
  }
}
process.exitCode = failures === 0 ? 0 : 1;

/** Resolves with the observations; rejects if something is wrong. */
async function tryPackage(file, user, install) {
  const folder = await mkdtemp(join(tmpdir(), 'dyno-trial-'));
  const [home, temporary] = [join(folder, 'home'), join(folder, 'tmp')];
  const id = user === 'user' && isRoot ? { uid: nobody, gid: nobody } : {};
  // The environment excludes variables of the caller that would select another Dyno.
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: temporary };
  const call = (program, args, more = {}) => runProgram(program, args, { ...id, cwd: home, env: { ...env, ...more } });
  try {
    await chmod(folder, 0o755);
    for (const path of [home, temporary]) {
      await mkdir(path);
      if (id.uid !== undefined) await chown(path, id.uid, id.gid);
    }
    const { prefix, remove } = await install({ file, folder, home, call });
    const exec = await checkFiles(prefix, folder);
    const path = { PATH: `${join(prefix, 'bin')}:${env.PATH}` };
    const said = (await call('dyno', ['--version'], path)).trim();
    if (!said.includes(version)) throw new Error(`dyno --version says “${said}”`);
    const starter = join(prefix, 'lib/dyno/resources/dyno/experiments/insert-duel.dyno.yaml');
    const short = ['--set', 'measure.until={ seconds: 0.25 }', '--set', 'measure.repeats=2', '--set', 'baseline='];
    const { trials } = JSON.parse(await call('dyno', ['run', starter, ...short, '--quiet', '--json', '-'], path));
    const ok = trials.filter(({ status }) => status === 'ok').length;
    if (ok === 0 || ok < trials.length) throw new Error(`${ok} of ${trials.length} trials of the starter are ok`);
    const heading = await withXvfb(async (display) => {
      const authority = join(home, '.Xauthority');
      await copyFile(display.XAUTHORITY, authority);
      if (id.uid !== undefined) await chown(authority, id.uid, id.gid);
      const onDisplay = { ...env, ...display, XAUTHORITY: authority };
      return headingOfWindow(exec, { ...id, cwd: home, env: onDisplay });
    });
    for (const action of ['stop', 'reset']) await call('dyno', ['servers', action], path);
    await remove?.();
    if (remove && existsSync(join(prefix, 'lib/dyno'))) throw new Error('it is still there after it was removed');
    return `${said}; ${ok} trials of the starter; the window shows “${heading}”${remove ? '; removed again' : ''}`;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** Checks the files that every package must install; resolves with the program in its desktop entry. */
async function checkFiles(prefix, folder) {
  const share = (path) => readFile(join(prefix, 'share', path), 'utf8');
  for (const path of [
    'bin/dyno',
    'lib/dyno/dyno-window',
    'share/doc/dyno/copyright',
    'share/icons/hicolor/64x64/apps/dyno.png',
  ])
    if (!existsSync(join(prefix, path))) throw new Error(`there is no ${path}`);
  const licences = await readFile(join(prefix, 'lib/dyno/resources/dyno/THIRD-PARTY.txt'), 'utf8');
  if (!/^ossp-uuid .*; text \d+$/m.test(licences)) throw new Error('the licence of ossp-uuid has no text');
  const entry = await share('applications/dyno.desktop');
  const mime = await share('mime/packages/dyno.xml');
  for (const type of ['application/x-dyno-experiment+yaml', 'application/x-dyno-run'])
    if (!mime.includes(`type="${type}"`) || !entry.includes(`${type};`)) throw new Error(`nothing opens ${type}`);
  const exec = /^Exec=(\S+) %U$/m.exec(entry)?.[1] ?? '';
  // A separate package database defines the root; install.sh records its prefix.
  const program = exec.startsWith('/usr/lib/') ? join(prefix, exec.slice('/usr'.length)) : exec;
  if (!program.startsWith(folder) || !existsSync(program)) throw new Error(`the desktop entry names ${exec}`);
  return program;
}

/** Opens the window, and resolves with the heading that its page shows. */
async function headingOfWindow(program, options) {
  const sandbox = isRoot && options.uid === undefined ? ['--no-sandbox'] : [];
  const child = spawn(program, [...sandbox, '--remote-debugging-port=0'], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((done) => child.once('close', done));
  try {
    const browser = await chromium.connectOverCDP(await devToolsOf(child.stderr));
    const [context] = browser.contexts();
    const page = context.pages()[0] ?? (await context.waitForEvent('page'));
    const heading = await page.getByRole('heading', { level: 1 }).innerText();
    await browser.close();
    return heading;
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** The address that Chromium prints. */
async function devToolsOf(stderr) {
  let said = '';
  for await (const text of stderr) {
    said += text;
    const address = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
    if (address === undefined) continue;
    stderr.resume();
    return address;
  }
  throw new Error(`the window did not open: ${said.trim()}`);
}

/** Runs a program, and resolves with its output; rejects with the end of its output if it fails. */
function runProgram(program, args, options) {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, all] = ['', ''];
    child.stdout.on('data', (text) => {
      out += text;
      all += text;
    });
    child.stderr.on('data', (text) => {
      all += text;
    });
    child.once('error', failed);
    child.once('close', (code) =>
      code === 0 ? done(out) : failed(new Error(`${program} ${args[0]} ended with ${code}: ${all.trim().slice(-800)}`)),
    );
  });
}
