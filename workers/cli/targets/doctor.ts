import { accessSync, constants, statfsSync } from 'node:fs';
import { productText } from '#engine-api/product-text.ts';
import { catalog } from '#engines/catalog.ts';
import { installables } from '#managed-servers/install/install.ts';
import { kindOf, missingTargets } from '#managed-servers/servers/kinds.ts';
import { toErrorData } from '#model/error.ts';
import { errorText } from '#model/error-text.ts';
import { formatBytes } from '#model/format/format.ts';
import { oneLine } from '#model/text/printable.ts';
import { checkBuiltInTargets } from '#orchestrator/check/check-targets.ts';
import { environmentOf } from '#orchestrator/run/environment.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureHome, type Home } from '#platform/paths.ts';
import { windowRuntime, windowRuntimeText } from '#platform/window-runtime.ts';
import { type Command, jsonOption } from '../command.ts';
import { terminalErrorText } from '../dispatch.ts';
import { onInterrupt } from '../interrupt.ts';
import { noticesOf } from './notices.ts';

/** `dyno doctor`: checks the installation and the built-in targets. */
export const doctorCommand: Command = {
  name: 'doctor',
  arguments: '',
  summary:
    'Reports which servers and tools are installed, which built-in targets work, and how to get the missing ones.',
  options: jsonOption,
  takes: [0, 0],
  async run({ home, values, print, printJson, note }) {
    const environment = environmentOf();
    const window = windowRuntime();
    const problems: string[] = checkHome(home);
    const stop = new AbortController();
    using _ = onInterrupt(() => stop.abort());
    const examined =
      problems.length > 0 ? [] : await checkBuiltInTargets(home, stop.signal, values.json ? () => {} : note);
    const targets = examined.map(({ record }) => record);
    const missing = Object.entries(await missingTargets());
    if (values.json)
      printJson({
        environment,
        window,
        home: home.root,
        problems,
        engines: catalog.map(({ descriptor: { id, label, builtIn, notice = null } }) => ({
          id,
          label,
          notice,
          targets: builtIn.map(({ target }) => target),
        })),
        targets,
        missing: Object.fromEntries(missing),
        tools: installables.map(({ name, engine, about, isInstalled }) => ({
          name,
          engine,
          about,
          installed: isInstalled(),
        })),
      });
    else {
      print(
        `Dyno ${environment.app} on ${environment.os}, ${environment.cores} × ${environment.cpu}, ${formatBytes(environment.memoryBytes)}`,
      );
      print(
        `  runtime  ${Object.entries(environment.runtime)
          .map(([name, version]) => `${name} ${version}`)
          .join(', ')}`,
      );
      print(`  window   ${window ? windowRuntimeText(window) : 'not fetched yet: npm start fetches it'}`);
      print(
        `  drivers  ${Object.entries(environment.drivers)
          .map(([name, version]) => `${name} ${version}`)
          .join(', ')}`,
      );
      print(`  home     ${home.root}`);
      for (const problem of problems) print(`  PROBLEM  ${problem}`);
      for (const target of targets) {
        if (target.error)
          print(`  FAILS    ${target.name}: ${terminalErrorText(target.error).replaceAll('\n', '\n           ')}`);
        else
          print(
            `  works    ${target.name}: ${oneLine(target.fingerprint ? productText(target.fingerprint) : '')} (${target.address})`,
          );
      }
      // A version beside the usual one is missing only where somebody wants to compare it.
      const usual = missing.filter(([name]) => !kindOf(name)?.byVersion);
      for (const [name, { what, fix }] of usual) print(`  missing  ${name}: ${what}\n           To fix: ${fix}`);
      for (const notice of noticesOf(catalog.map(({ descriptor }) => descriptor.id))) print(`  to know  ${notice}`);
    }
    return problems.length > 0
      ? exitCodes.runStopped
      : targets.some((one) => one.error)
        ? exitCodes.targetUnreachable
        : exitCodes.ok;
  },
};

const leastFreeBytes = 1e9;

function checkHome(home: Home): string[] {
  try {
    ensureHome(home);
    accessSync(home.runs, constants.W_OK);
    const { bavail, bsize } = statfsSync(home.root);
    return bavail * bsize < leastFreeBytes
      ? [
          `Only ${formatBytes(bavail * bsize)} are free in ${home.root}: large runs need more. Free some, or set DYNO_HOME.`,
        ]
      : [];
  } catch (thrown) {
    const { message, hint } = toErrorData(thrown);
    return [errorText({ message, hint: hint ?? 'Set DYNO_HOME to a folder you can write to.' })];
  }
}
