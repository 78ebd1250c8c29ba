/**
 * From the answer of `dyno doctor --json`, what cannot be tested here: `part` as in DYNO_REQUIRE, `skip`, the names that tests ask for
 * (workers/engines/skipped.ts), the reason and what fixes it. An engine is tested on the server that DYNO_TEST_<ENGINE> names, else on the first of its
 * built-in ones; the others are further products that are tested where they are.
 */
export function missingPrerequisites({ engines, targets, missing, tools }, environment = process.env) {
  const problemOf = (target) => {
    const error = targets.find(({ name }) => name === target)?.error;
    return missing[target] ?? (error && { what: error.message, fix: error.hint });
  };
  const ofEngines = engines.flatMap(({ id, label, targets: [first, ...others] }) => {
    const variable = `DYNO_TEST_${id.toUpperCase()}`;
    const given = environment[variable] !== undefined;
    const elsewhere = `${variable}=<URL of a server that tests may use>`;
    if (first === undefined)
      return given ? [] : { part: id, skip: [id], reason: `There is no ${label} here.`, fix: elsewhere };
    return [first, ...others].flatMap((target) => {
      const problem = problemOf(target);
      if (!problem) return [];
      // Some tests need a server of their own, whatever is given.
      const alone = given || target !== first;
      const fix = [problem.fix, target === first && `or ${elsewhere}`].filter(Boolean).join('\n');
      const reason = `${target} does not work here: ${problem.what}`;
      return alone ? { part: target, skip: [target], reason, fix } : { part: id, skip: [id, target], reason, fix };
    });
  });
  const ofTools = tools
    .filter(({ engine, installed }) => engine === null && !installed)
    .map(({ name, about }) => ({
      part: name,
      skip: [name],
      reason: `It is not installed: ${about}.`,
      fix: `npm run --silent dyno -- servers install ${name}`,
    }));
  return [...ofEngines, ...ofTools];
}
