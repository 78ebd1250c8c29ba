import { readFileSync } from 'node:fs';
import type { AdviceReport } from '#analysis/advise/advice-report.ts';
import { applyOverrides } from '#experiment/yaml/overrides.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { advise } from '#orchestrator/advise/advise.ts';
import type { Home } from '#platform/paths.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { trusted } from '../trusted.fixture.ts';

/** The folder of the planted cases: files whose best change is known. */
const casesFolder = new URL('cases/', import.meta.url);

/** The advice for a planted case on a target. */
export function adviceFor(
  home: Home,
  name: string,
  target: string,
  budgetSeconds: number,
  overrides: readonly string[] = [],
  trials?: { readonly seconds: number; readonly repeats: number },
): Promise<AdviceReport> {
  const text = readFileSync(new URL(`${name}.dyno.yaml`, casesFolder), 'utf8');
  const file = parseFile(applyOverrides(readYaml(text), overrides));
  return advise({
    ...{ home, file, experiment: trusted(home, file.text), folder: home.experiments, target, budgetSeconds },
    ...(trials && { trials }),
    ...{ confirmed: [], signal: new AbortController().signal, onActivity: () => {} },
  });
}
