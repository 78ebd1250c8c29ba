import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Lists what cannot be tested on this machine, from the answer of `dyno doctor --json`. Each entry has its name in
 * DYNO_REQUIRE (`part`), the names that tests check (`skip`, see workers/engines/conformance/skipped.ts), the reason,
 * and the commands that fix it. An engine is tested on the server in DYNO_TEST_<ENGINE>, else on its first built-in
 * target; its other built-in targets are further products, each tested where it is installed. An engine without a
 * built-in target may have a stand-in.
 */
export function missingPrerequisites(
  { engines, targets, missing, tools },
  environment = process.env,
  hasExtension = isInstalled,
) {
  const problemOf = (target) => {
    const error = targets.find(({ name }) => name === target)?.error;
    return missing[target] ?? (error && { what: error.message, fix: error.hint });
  };
  const ofEngines = engines.flatMap(({ id, label, targets: [first, ...others] }) => {
    const variable = `DYNO_TEST_${id.toUpperCase()}`;
    const given = environment[variable] !== undefined;
    const elsewhere = `${variable}=<URL of a server that tests may use>`;
    if (first === undefined) {
      const { name, problem } = standInProblem(id, label, tools, hasExtension);
      if (problem === null || (given && name === id)) return [];
      const fix = [problem.fix, `or ${elsewhere}`].filter(Boolean).join('\n');
      return given
        ? { part: name, skip: [name], reason: problem.what, fix: problem.fix }
        : { part: id, skip: [...new Set([id, name])], reason: problem.what, fix: problem.fix ? fix : elsewhere };
    }
    return [first, ...others].flatMap((target) => {
      const problem = problemOf(target);
      if (!problem || isOthersToInstall(target, problem)) return [];
      // Some tests need the built-in server even if DYNO_TEST_<ENGINE> names another.
      const alone = given || target !== first;
      const fix = [problem.fix, target === first && `or ${elsewhere}`].filter(Boolean).join('\n');
      const reason = `${target} does not work here: ${problem.what}`;
      return alone ? { part: target, skip: [target], reason, fix } : { part: id, skip: [id, target], reason, fix };
    });
  });
  const ofTools = tools
    .filter(({ name, engine, installed }) => engine === null && !installed && !isOfStandIn(name))
    .map(({ name, about }) => ({
      part: name,
      skip: [name],
      reason: `It is not installed: ${about}.`,
      fix: `npm run --silent dyno -- servers install ${name}`,
    }));
  return [...ofEngines, ...ofTools];
}

/** The stand-in servers for products that Dyno cannot start. */
const standIns = { oracle: { name: 'oracle-emulator', tool: 'seerdb', extension: 'orafce' } };

const isOfStandIn = (tool) => Object.values(standIns).some((one) => one.tool === tool);

function standInProblem(id, label, tools, hasExtension) {
  const standIn = standIns[id];
  if (standIn === undefined) return { name: id, problem: { what: `There is no ${label} here.`, fix: null } };
  const { name, tool, extension } = standIn;
  if (!tools.some((one) => one.name === tool && one.installed))
    return {
      name,
      problem: { what: `${tool} is not installed.`, fix: `npm run --silent dyno -- servers install ${tool}` },
    };
  if (!hasExtension(extension))
    return {
      name,
      problem: {
        what: `No PostgreSQL with the extension ${extension} is installed.`,
        fix: `apt-get install postgresql-NN-${extension}`,
      },
    };
  return { name, problem: null };
}

/** True if a PostgreSQL of the system has the extension (findPostgresWith in managed-servers/install/tools.ts). */
const isInstalled = (extension) =>
  postgresFolders().some((folder) => existsSync(`${folder}/extension/${extension}.control`));

/** The folders of PostgreSQL's shared files on Debian, Red Hat and macOS. Node 20 has no globSync. */
const postgresFolders = () => [
  ...namesIn('/usr/share/postgresql').map((name) => `/usr/share/postgresql/${name}`),
  ...namesIn('/usr').flatMap((name) => (name.startsWith('pgsql-') ? [`/usr/${name}/share`] : [])),
  ...namesIn('/opt/homebrew/share').flatMap((name) =>
    name.startsWith('postgresql@') ? [`/opt/homebrew/share/${name}`] : [],
  ),
];

const namesIn = (folder) => (existsSync(folder) ? readdirSync(folder) : []);

const places = (process.env.PATH ?? '').split(delimiter).filter(Boolean);

/** True for a version of a product that no registry has: no test needs it. */
const isOthersToInstall = (target, { fix }) => target.includes('@') && !fix?.includes('dyno servers install');

/** Programs that only tests start, in the form of missingPrerequisites(). */
export function missingPrograms(folders = [...places, '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin']) {
  return existsIn(folders, 'pgbouncer')
    ? []
    : [
        {
          part: 'pgbouncer',
          skip: ['pgbouncer'],
          reason: 'It is not installed: PgBouncer, a pooler before PostgreSQL.',
          fix: 'apt-get install pgbouncer',
        },
      ];
}

const existsIn = (folders, name) => folders.some((folder) => existsSync(join(folder, name)));
