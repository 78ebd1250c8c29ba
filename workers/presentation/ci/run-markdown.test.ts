import { lexer, type Token, walkTokens } from 'marked';
import { expect, it } from 'vitest';
import { compareWithReference } from '#analysis/between-runs/compare-with-reference.ts';
import { madeRun } from '#analysis/findings/shared/findings.fixture.ts';
import type { GateResult } from '#analysis/gate/gate-result.ts';
import { fixtureRun } from '#analysis/run-model/run.fixture.ts';
import { comparisonMarkdown } from './comparison-markdown.ts';
import { runMarkdown } from './run-markdown.ts';

/** The tokens of a Markdown text, and the HTML in it. */
function partsOf(markdown: string) {
  const types = new Set<string>();
  const html = new Set<string>();
  walkTokens(lexer(markdown), (token: Token) => {
    types.add(token.type);
    if (token.type === 'html') html.add(token.raw.trim());
  });
  return { types, html: [...html] };
}

const gate: GateResult = {
  ...{ outcome: 'undecided', runId: 'r2', baseline: { runId: 'r1', startedAt: '', name: 'x' }, comparisons: 1 },
  ...{ sentence: 'Nobody can tell so far.', repeatsNeeded: 6 },
  changes: [{ kind: 'schema', what: 'dataset.rows', where: null, before: '20000', after: '20' }],
  conditions: [
    {
      ...{ condition: { kind: 'slower', share: 0.05 }, outcome: 'undecided' },
      cells: [
        {
          ...{ cell: null, name: 'bulk | on a', unit: 'ratio', interval: { value: 0.97, low: 0.92, high: 1.02, n: 5 } },
          ...{ limit: 0.95, outcome: 'undecided', repeatsNeeded: 6, sentence: 'The interval contains the limit.' },
        },
      ],
    },
  ],
};

it('begins with the gate, then the answer, and tells the cells with ratio, interval and verdict', () => {
  const text = runMarkdown(fixtureRun({ connections: [1], repeats: 3 }), { gate }).replaceAll('\u00a0', ' ');
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title);
  expect(headings.slice(0, 4)).toEqual(['Insert duel', 'Gate undecided', 'Answer', 'Results']);
  expect(text).toContain(
    '| slower 5% | bulk &#124; on a | undecided | 0.970× (0.920–1.02) | 0.950× | The interval contains the limit. |',
  );
  expect(text).toContain('What changed between the runs: dataset.rows 20000 → 20.');
  expect(text).toMatch(/\| multiRow · Connections: 1 \| SQLite \| [\d.]+k \([^|]+\) \| 18 % slower \([^|]+\) \|/);
  expect(text).toMatch(/\n- Data: (?:good|usable|do not quote)\./);
  expect(text).toContain('<details><summary>Skipped cells</summary>');
});

it('has no Markdown, HTML or link from the names of an experiment and the messages of a server', () => {
  const evil = '|\n\n# x\n<img src=x> [a](https://x.example) @octocat `</details>`\u001b[31m';
  const error = { kind: 'serverGone', code: null, message: evil, hint: evil, retryable: false } as const;
  const run = madeRun({
    ...{ repeats: 2, targets: [{ name: 'a' }, { name: `b${evil.replaceAll(/\p{Cc}+/gu, ' ')}` }] },
    trial: ({ target, repeat }) => (target === 'a' || repeat === 1 ? {} : { result: { status: 'failed', error } }),
  });
  const { plan } = run;
  const named = { ...run, plan: { ...plan, experiment: { ...plan.experiment, name: evil, question: evil } } };
  for (const text of [
    runMarkdown(named, { gate: { ...gate, sentence: evil } }),
    comparisonMarkdown(compareWithReference(named, [named]), 1, { command: evil }),
  ]) {
    const { types, html } = partsOf(text);
    for (const type of ['link', 'image', 'codespan', 'code', 'blockquote']) expect([...types]).not.toContain(type);
    for (const one of html) expect(one).toMatch(/^(?:<\/?details>|<summary>[\w ]+<\/summary>|<br>)+$/);
    expect(text).not.toMatch(/[^\P{Cc}\n]/u);
    expect(text.match(/^# /gm)).toBeNull();
  }
});
