import { describe, expect, it } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { levelsYaml, usualLevels } from '#experiment/schema/levels.fixture.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { canShareTable } from './can-share-table.ts';
import { estimateVolume, loadedBytes } from './estimate-volume.ts';
import { planExperiment } from './plan-experiment.ts';
import { planOf, variantOf } from './variant-of.ts';

const descriptors = catalog.map(({ descriptor }) => descriptor);
const oracle = '{ name: ora, engine: oracle, host: h, user: u, serviceName: s }';

function planned(yaml: string) {
  const { plan, diagnostics } = planExperiment(parseFile(yaml), { catalog: descriptors });
  return { plan: plan!, diagnostics };
}
const ofLevel = (plan: ReturnType<typeof planned>['plan'], level: string) => variantOf(plan, `search=${level}`)!;

describe('variants whose levels change the file', () => {
  it('run once where the change is for another engine', () => {
    const { plan, diagnostics } = planned(levelsYaml(usualLevels, `targets: [sqlite, ${oracle}]\n`));
    expect(diagnostics).toEqual([]);
    expect(plan.skipped).toEqual([
      {
        variant: 'search=hint',
        target: 'sqlite',
        reason: 'Same as “Search: as it is” on SQLite: the tables, texts and settings that it uses are equal.',
        sameAs: 'search=as it is',
      },
    ]);
  });

  it('have the reason why the engine cannot run the change, and the other variants run', () => {
    const levels = '{ plain: {}, hashed: { tables: { sales: { indexes: [{ columns: [sold], kind: hash }] } } } }';
    const { plan } = planned(levelsYaml(levels, 'targets: [sqlite]\n'));
    expect(plan.skipped).toEqual([{ variant: 'search=hashed', target: 'sqlite', reason: 'SQLite has B-trees only.' }]);
  });

  it('have mistakes that only the engine knows at their places in the level', () => {
    const text = (words: string) => `{ a: {}, b: { statements: { search: { text: "${words}" } } } }`;
    const found = (words: string) =>
      planned(levelsYaml(text(words), 'targets: [sqlite]\n')).diagnostics.map(
        ({ path, message, fix }) => `${path}: ${message} ${JSON.stringify(fix ?? null)}`,
      );
    expect(found('SELECT id FROM {nothing} WHERE id = :day')).toEqual([
      expect.stringMatching(/^factors\.search\.b\.statements\.search\.text: .*\{nothing\}/),
    ]);
    expect(found('SELECT id FROM {stores} WHERE id = :day AND city = :city')).toEqual([
      expect.stringMatching(
        /^factors\.search\.b\.statements\.search\.text: .*`city`.*"path":\["factors","search","b","statements","search","parameters","city"\]/,
      ),
    ]);
    expect(found('SELECT 1; SELECT 2')).toEqual([
      expect.stringMatching(
        /^factors\.search\.b\.statements\.search\.parameters\.day: No text of `search` has the parameter/,
      ),
      expect.stringMatching(/^factors\.search\.b\.statements\.search\.text: .*more than one statement/),
    ]);
  });

  it('share a table only if their levels leave it alike', () => {
    const levels = `{ a: {}, same: { orderBy: id }, small: { dataset: { rows: 5 } }, index: { dataset: { indexes: [{ columns: [at] }] } } }`;
    const yaml = `dyno: 1
name: Scan
question: How fast?
dataset: { rows: 50, key: id, columns: { id: { type: sequence }, at: { type: integer } } }
workload: { operation: scan, method: prepared }
factors: { search: ${levels} }
targets: [sqlite]
`;
    const { plan } = planned(yaml);
    const shared = ['a', 'same', 'small', 'index'].filter((level) =>
      canShareTable(plan, ofLevel(plan, 'a'), ofLevel(plan, level), 'sqlite'),
    );
    expect(shared).toEqual(['a', 'same']);
    expect(planOf(plan, ofLevel(plan, 'small')).experiment.dataset.rows).toBe(5);
    expect(loadedBytes(plan, ofLevel(plan, 'small'))).toBe(loadedBytes(plan, ofLevel(plan, 'a')) / 10);
    expect(estimateVolume(plan)[0]!.rows).toBe(3 * (50 + 50 + 5 + 50));
  });

  it('measure the rows of their own dataset where rows end a trial', () => {
    const yaml = `dyno: 1
name: Fill
question: How fast?
dataset: { rows: 50, columns: { id: { type: sequence } } }
workload: { operation: insert }
factors: { size: { small: { dataset: { rows: 20 } }, large: {} } }
targets: [sqlite]
`;
    const { plan } = planned(yaml);
    expect(planOf(plan, variantOf(plan, 'size=small')).measure).toMatchObject({ rows: 20, warmupRows: 2 });
    expect(planOf(plan, variantOf(plan, 'size=large')).measure).toMatchObject({ rows: 50, warmupRows: 5 });
  });
});
