import { describe, expect, it } from 'vitest';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { renderText } from '#presentation/terminal/run-text.ts';
import { alsoShownText } from '#presentation/text/finding-text.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { descriptorOf, fingerprintOf } from '../run-model/journal-parts.fixture.ts';
import { findFindings } from './find-findings.ts';
import { type NamedRule, rules } from './registry.ts';
import * as all from './rules.ts';
import { confirmText } from './shared/confirm.ts';
import type { Rule, Shown } from './shared/finding.ts';
import { everything, type MadeRun, madeFacts, madeRun, processTime } from './shared/findings.fixture.ts';
import { pictureText } from './shared/picture.fixture.ts';

const facts = madeFacts();
const [cell] = facts.cells;

const rule = (id: string, find: Rule['find']): NamedRule => ({ id, title: id, looksFor: '', shownWhen: '', find });
const shown = (confidence: Shown['confidence'], explains: number): Shown => ({
  cell: cell!.cell,
  status: 'shown',
  claim: '',
  confidence,
  explains,
  evidence: [],
  advice: '',
  confirm: null,
  picture: null,
});

describe('findFindings', () => {
  it('sorts by confidence, then by the explained share', () => {
    const found = findFindings(facts, [
      rule('highVariability', () => [shown('possible', 0.9)]),
      rule('gcInTail', () => [shown('certain', 0.1)]),
      rule('commitBound', () => [shown('certain', 0.2), shown('likely', 0.9)]),
    ]);
    expect(found.shown.map(({ rule: { id }, lead }) => [id, lead.explains])).toEqual([
      ['commitBound', 0.2],
      ['gcInTail', 0.1],
      ['highVariability', 0.9],
    ]);
    expect(found.shown[0]!.also).toHaveLength(1);
  });

  it('lists other cells that show it with another confidence', () => {
    const at = (variant: string, confidence: Shown['confidence']): Shown => ({
      ...shown(confidence, 0.1),
      cell: { variant, target: 'server' },
    });
    const several = madeFacts({ factors: { connections: [1, 2, 4] } });
    const [first, second, third] = several.cells.map(({ cell: { variant } }) => variant);
    const found = findFindings(several, [
      rule('commitBound', () => [at(first!, 'certain'), at(second!, 'certain'), at(third!, 'likely')]),
    ]);
    expect(alsoShownText(several.model, found.shown[0]!)).toBe(
      'Also shown for Connections: 2 on server; Connections: 4 on server (likely).',
    );
  });

  describe('gives a finding without a picture that', () => {
    const evidence = (label: string, value: number, unit: string) => ({
      label,
      value,
      unit,
      text: `${value}`,
      link: null,
    });
    const drawn = (run: MadeRun, ...own: Shown['evidence']) => {
      const made = madeFacts(run);
      const one = { ...shown('likely', 0.1), cell: made.cells[0]!.cell, evidence: own };
      return pictureText(findFindings(made, [rule('delayedAck', () => [one])]).shown[0]!.lead);
    };
    it('of its amounts, or else of its first share', () => {
      const [share, slow, fast] = [
        evidence('Part', 0.25, 'share'),
        evidence('Slow', 40, 'ms'),
        evidence('Fast', 1, 'ms'),
      ];
      expect(drawn({}, share, slow, fast)).toBe('Time: Slow 40, Fast 1');
      expect(drawn({}, share, slow)).toMatch(/^Part: this part 25\.0\s%, the rest 75\.0\s%$/);
    });
    it('of its cell among those of other targets, or else of other variants', () => {
      expect(drawn({ targets: [{ name: 'Alpha' }, { name: 'Beta' }] })).toBe(
        'Throughput (rows/s): Alpha 1.00k, Beta 1.00k',
      );
      expect(drawn({ factors: { connections: [1, 2] } }, evidence('Waits', 3, ''))).toBe(
        'Throughput (rows/s): Connections: 1 1.00k, Connections: 2 1.00k',
      );
    });
  });

  it('continues after a failed rule, and names the rule', () => {
    const found = findFindings(facts, [
      rule('notSteady', () => {
        throw new Error('a defect');
      }),
      rule('gcInTail', () => [shown('certain', 0.1)]),
    ]);
    expect(found.shown).toHaveLength(1);
    expect(found.unshown[0]!.outcomes[0]).toMatchObject({
      status: 'cannotTell',
      why: 'The rule notSteady failed: a defect',
    });
  });
});

describe('the rules', () => {
  it('are all there, each with an outcome for a run without anything special, and none that claims', () => {
    expect(rules.map(({ id }) => id).toSorted()).toEqual(Object.keys(all).toSorted());
    const found = findFindings(facts, rules);
    expect(found.shown.map(({ rule: { id } }) => id)).toEqual([]);
    expect(found.unshown).toHaveLength(rules.length);
    expect(
      found.unshown.flatMap(({ outcomes }) => outcomes).filter(({ why }) => /^The rule .* failed/.test(why)),
    ).toEqual([]);
  });

  const imitation = fingerprintOf({ product: 'X', emulator: 'something else' });

  it('find nothing about references and emulators', () => {
    const saturated: MadeRun = {
      targets: [
        { name: 'nothing', descriptor: { reference: true } },
        { name: 'imitation', fingerprint: imitation },
      ],
      trial: () => ({ health: { processTime: processTime({ otherMs: 9_000 }) }, result: { clientSaturated: true } }),
    };
    expect(findFindings(madeFacts(saturated), rules).shown).toEqual([]);
  });

  const alone = (target: NonNullable<MadeRun['targets']>[number], more: Partial<MadeRun> = {}) => {
    const found = findFindings(madeFacts({ targets: [target], ...more }), rules);
    expect(found.shown).toEqual([]);
    return [
      ...new Set(found.unshown.flatMap(({ outcomes }) => outcomes.map(({ status, why }) => `${status}: ${why}`))),
    ];
  };
  it('say of a run of nothing but an emulator that its numbers are of no product', () => {
    expect(alone({ name: 'imitation', fingerprint: imitation })).toEqual([
      'cannotTell: Only an emulator has results: its numbers say nothing about the product.',
    ]);
  });

  it('say of a run of nothing but a reference that no database has a result', () => {
    expect(alone({ name: 'nothing', descriptor: { reference: true } })).toEqual([
      'cannotTell: No trial on a database has a result.',
    ]);
  });
});

const server = descriptorOf({
  support: everything,
  builtIn: [{ target: 'server', label: 'Server', about: '' }],
});

describe('the experiment that would confirm it', () => {
  it('is the run’s own, with one factor, the cell’s other settings, its target alone, and repeats enough', () => {
    const saturated = rules.filter(({ id }) => id === 'clientSaturated');
    const { confirm } = findFindings(madeFacts(saturatedSpec), saturated).shown[0]!.lead;
    const file = parseFile(confirmText(madeRun(saturatedSpec), confirm!));
    const { plan, diagnostics } = planExperiment(file, { catalog: [server] });
    expect(diagnostics).toEqual([]);
    expect(plan?.experiment).toMatchObject({
      name: 'More client processes',
      factors: { processes: [1, 2, 4] },
      workload: { connections: 8, method: 'bind', callsPerCommit: 1 },
      targets: ['server'],
      baseline: { processes: 1 },
      measure: { repeats: 5 },
    });
  });

  it('explains no gap, because its variants are others', () => {
    const saturated = rules.filter(({ id }) => id === 'clientSaturated');
    const { confirm } = findFindings(madeFacts(saturatedSpec), saturated).shown[0]!.lead;
    const { yaml } = madeRun(saturatedSpec);
    const asked = setIn(readYaml(yaml), ['explain'], { connections: 8 }).text;
    expect(parseFile(confirmText({ yaml: asked }, confirm!)).diagnostics).toEqual([]);
  });

  it('is written in the claim’s place in the text for a terminal, with its evidence', () => {
    const text = renderText(madeRun({ ...saturatedSpec, repeats: 5 }));
    expect(text).toContain('Client-bound (certain)');
    expect(text).toContain('evidence: Client processes busy');
  });

  it('leaves the checks without findings at their number, unless all of them are wanted', () => {
    const run = madeRun({ ...saturatedSpec, repeats: 5 });
    const [, count] = /Checks without findings: (\d+) \(--all-findings lists them\)/.exec(renderText(run)) ?? [];
    expect(Number(count)).toBeGreaterThan(10);
    expect(renderText(run)).not.toContain('not shown.');
    const all = renderText(run, { allFindings: true });
    const listed =
      all.slice(all.indexOf('Checks without findings:')).match(/^ {2}.*: (not shown|cannot tell)\. /gm) ?? [];
    expect(listed).toHaveLength(Number(count));
  });
});

const saturatedSpec: MadeRun = {
  workload: { connections: 8 },
  factors: { method: ['bind', 'literal'], how: { plain: { callsPerCommit: 1 }, together: { callsPerCommit: 10 } } },
  targets: [{ name: 'server' }, { name: 'another' }],
  repeats: 3,
  trial: ({ target }) => ({ health: { processTime: processTime({ otherMs: target === 'server' ? 9_000 : 100 }) } }),
};
