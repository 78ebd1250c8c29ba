/**
 * From the answer of `dyno doctor --json`, what cannot be tested here: `part` as in DYNO_REQUIRE, the names that tests ask for
 * (workers/engines/skipped.ts), and the reason. An engine is tested on the server that DYNO_TEST_<ENGINE> names, else on its built-in one.
 */
export function whatLacks({ engines, targets, missing, tools }, environment = process.env) {
  const ofEngines = engines.flatMap(({ id, label, target }) => {
    const variable = `DYNO_TEST_${id.toUpperCase()}`;
    const elsewhere = `${variable}=<URL of a server that tests may use>`;
    if (target === null)
      return environment[variable]
        ? []
        : { part: id, skip: [id], reason: `there is no ${label} here.\nTo fix: ${elsewhere}` };
    const error = targets.find(({ name }) => name === target)?.error;
    const [what, fix] = missing[target] ? [missing[target].what, missing[target].fix] : [error?.message, error?.hint];
    if (what === undefined) return [];
    const reason = `${target} does not work here: ${what}\nTo fix: ${[fix, elsewhere].filter(Boolean).join('\n    or: ')}`;
    // Some tests need a server of their own, whatever is given.
    return environment[variable] ? { part: target, skip: [target], reason } : { part: id, skip: [id, target], reason };
  });
  const ofTools = tools
    .filter(({ engine, installed }) => engine === null && !installed)
    .map(({ name, about }) => ({
      part: name,
      skip: [name],
      reason: `not installed: ${about}.\nTo fix: npm run --silent dyno -- lab install ${name}`,
    }));
  return [...ofEngines, ...ofTools];
}
