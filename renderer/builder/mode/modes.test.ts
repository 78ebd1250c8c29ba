import { expect, test } from 'vitest';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { newExperimentText } from '../../library/new-experiment.ts';
import { readRaw } from '../draft/raw-experiment.ts';
import { changesTo, type Mode, modeOf, modeQuestions } from './modes.ts';

const inMode = (text: string, mode: Mode, saved = text): string =>
  changesTo(mode, readRaw(text)!, readRaw(saved)!).reduce(
    (changed, { path, value }) => setIn(changed, path, value),
    readYaml(text),
  ).text;

const modes = ['compare', 'maximum', 'custom'] as const;

test.each(modes.flatMap((from) => modes.map((to) => [from, to] as const)))(
  '%s becomes %s, and is valid',
  (from, to) => {
    const text = inMode(inMode(newExperimentText, from), to);
    expect(parseFile(text).diagnostics).toEqual([]);
    expect(modeOf(readRaw(text)!)).toBe(to);
  },
);

test('the question of another mode gives way, but not a question that the user has typed', () => {
  const custom = inMode(newExperimentText, 'custom');
  expect(readRaw(custom)?.question).toBe(modeQuestions.custom);
  expect(readRaw(inMode(custom, 'maximum', newExperimentText))?.question).toBe(modeQuestions.maximum);
  const gallery = newExperimentText.replace('Which method inserts fastest?', 'What does a commit cost?');
  expect(readRaw(inMode(`${gallery}about: A long story.\n`, 'custom'))).toMatchObject({
    question: modeQuestions.custom,
  });
  expect(inMode(`${gallery}about: A long story.\n`, 'custom')).not.toContain('story');
  expect(readRaw(inMode(gallery, 'custom', newExperimentText))?.question).toBe('What does a commit cost?');
});

test('a mode that the experiment has already changes nothing', () => {
  for (const mode of ['compare', 'custom'] as const) {
    const text = inMode(newExperimentText, mode);
    expect(inMode(text, mode)).toBe(text);
  }
});

test('a search raises what the load has, which no factor varies then', () => {
  const open = newExperimentText
    .replace('operation: insert', 'operation: readByKey\n  load: open\n  arrivalsPerSecond: 50')
    .replace('method: [prepared, multiRow]', 'arrivalsPerSecond: [10, 20]\n  method: [prepared, bind]');
  const text = inMode(open, 'maximum');
  expect(readRaw(text)).toMatchObject({
    workload: { operation: 'readByKey', load: 'open' },
    factors: { method: ['prepared', 'bind'] },
    measure: { search: { find: 'limit', setting: 'arrivalsPerSecond' } },
  });
  expect(parseFile(text).diagnostics).toEqual([]);
});

test('a variant to explain goes with the factors that it names', () => {
  const asked = newExperimentText.replace(
    'method: [prepared, multiRow]',
    'connections: [1, 4]\n  method: [prepared, bind]',
  );
  const text = `${asked}explain: { connections: 4, method: bind }\n`;
  expect(parseFile(text).diagnostics).toEqual([]);
  expect(parseFile(inMode(text, 'maximum')).diagnostics).toEqual([]);
  expect(readRaw(inMode(text, 'custom'))).not.toHaveProperty('explain');
});

test('a search takes the place of the stages, also in the sizes, and its trials are as long', () => {
  const staged = `${newExperimentText
    .replace('operation: insert', 'operation: readByKey\n  users: 20\n  connections: 4')
    .replace('method: [prepared, multiRow]', 'method: [prepared, bind]')
    .replace('until: { seconds: 1 }', 'stages: [{ seconds: 5, from: 0 }, { seconds: 10 }]')}
sizes:
  large:
    workload: { users: 200 }
    measure: { repeats: 2, stages: [{ seconds: 300 }] }
`;
  expect(parseFile(staged).diagnostics).toEqual([]);
  const text = inMode(staged, 'maximum');
  expect(parseFile(text).diagnostics).toEqual([]);
  expect(readRaw(text)).toMatchObject({
    measure: { until: { seconds: 15 }, search: { setting: 'users' } },
    goals: { p99Ms: 50 },
    sizes: { large: { measure: { repeats: 2 } } },
  });
});
