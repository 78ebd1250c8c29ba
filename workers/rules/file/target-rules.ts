import { isPlainSecret } from '#engine-api/connection-strings/plain-secrets.ts';
import { isMapping } from '#model/is-mapping.ts';
import { leavesOf } from '#model/leaves.ts';
import { didYouMean, meantLevel } from '#model/text/nearest-word.ts';
import type { Path } from '#model/text/path-text.ts';
import type { Report } from './check-shape.ts';

/** Names of targets in the order of the file; entries without a usable name are left out. */
function targetNames(targets: unknown): readonly string[] {
  return (Array.isArray(targets) ? targets : [])
    .map((target: unknown) => (isMapping(target) ? target.name : target))
    .filter((name): name is string => typeof name === 'string');
}

/** Targets need different names, and must not contain a secret in plain text. */
export function checkTargets(targets: unknown, report: Report): void {
  const seen = new Set<string>();
  for (const [index, target] of (Array.isArray(targets) ? targets : []).entries()) {
    const [name] = targetNames([target]);
    const path = ['targets', index];
    if (name !== undefined && seen.has(name))
      report({
        path: isMapping(target) ? [...path, 'name'] : path,
        message: `Two targets are called \`${name}\`.`,
        suggestion: 'Give each its own name; charts and results go by it.',
      });
    if (name !== undefined) seen.add(name);
    if (isMapping(target)) checkSecrets(target, path, report);
  }
}

function checkSecrets(target: unknown, above: Path, report: Report): void {
  for (const { value, path, key } of leavesOf(target, above)) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const text = String(value);
    if (isPlainSecret(key, text))
      // The message does not repeat the value, because logs contain diagnostics.
      report({
        path,
        message: `\`${key}\` holds a secret in plain text; experiment files are shared and must not.`,
        suggestion: `Write \${env:NAME} instead, and set the environment variable NAME before the run.`,
      });
    else if (/\$\{(?!env:[A-Za-z_][A-Za-z0-9_]*\})/.test(text))
      report({
        path,
        message: `\`${key}\` has a placeholder that is not understood.`,
        suggestion: `Placeholders look like \${env:NAME}.`,
      });
  }
}

/** Warns of prices of targets that the file does not have. */
export function checkPrices({ prices, targets }: Readonly<Record<string, unknown>>, report: Report): void {
  const known = targetNames(targets);
  for (const name of Object.keys(isMapping(prices) && isMapping(prices.perHour) ? prices.perHour : {})) {
    if (known.includes(name)) continue;
    const path = ['prices', 'perHour', name];
    report({
      severity: 'warning',
      path,
      at: 'key',
      message: `There is no target \`${name}\`, so that its price is not used.`,
      suggestion: didYouMean(name, known) ?? `Targets: ${known.join(', ')}.`,
      fix: { kind: 'set', path, value: undefined },
    });
  }
}

/** The keys that name a variant, whether they may name a target, and the consequence of a name that the file lacks. */
const variantKeys = [
  ['baseline', true, 'Ratios will refer to the default baseline.'],
  ['explain', false, 'The answer will explain no gap.'],
] as const;

/** Warns of a baseline, or of a variant to explain, that is no variant or target of the file. */
export function checkBaseline(experiment: Readonly<Record<string, unknown>>, report: Report): void {
  const factors = isMapping(experiment.factors) ? experiment.factors : {};
  for (const [key, hasTarget, consequence] of variantKeys) {
    const targets = hasTarget ? targetNames(experiment.targets) : null;
    const named = experiment[key];
    for (const [name, level] of Object.entries(isMapping(named) ? named : {})) {
      const path = [key, name];
      const warn = (at: 'key' | 'value', message: string, suggestion: string) =>
        report({
          severity: 'warning',
          path,
          at,
          message: `${message} ${consequence}`,
          suggestion,
          fix: { kind: 'set', path, value: undefined },
        });
      const factor = factors[name];
      const levels =
        targets !== null && name === 'target'
          ? targets
          : Array.isArray(factor)
            ? factor.map(String)
            : isMapping(factor)
              ? Object.keys(factor)
              : null;
      const known = [...(hasTarget ? ['target'] : []), ...Object.keys(factors)];
      if (levels === null) {
        if (!Object.hasOwn(factors, name))
          warn(
            'key',
            hasTarget ? `\`${name}\` is neither a factor nor \`target\`.` : `\`${name}\` is no factor.`,
            didYouMean(name, known) ?? `Known here: ${known.join(', ')}.`,
          );
      } else if (levels.length > 0 && typeof level !== 'object' && !levels.includes(String(level)))
        warn(
          'value',
          `\`${name}\` has no level \`${String(level)}\`.`.replace('`target` has no level', 'There is no target'),
          meantLevel(level, levels),
        );
    }
  }
}
