import { readFileSync } from 'node:fs';
import { applyOverrides } from '#experiment/yaml/overrides.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';

const file = readFileSync(new URL('../../experiments/tpc-c-like.dyno.yaml', import.meta.url), 'utf8');
/** The experiment on SQLite, in its shortest form. */
export const short = applyOverrides(readYaml(file), [
  'targets=sqlite',
  'baseline=',
  'measure.repeats=1',
  'measure.warmupSeconds=0',
  'measure.until.seconds=2',
]).text;
