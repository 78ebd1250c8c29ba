import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test, vi } from 'vitest';
import { createJournalParser } from '#analysis/journal/journal-parser.ts';
import { catalog } from '#engines/catalog.ts';
import { jsonLines } from '#managed-servers/supervisor-protocol.ts';
import { mostProblems } from '#model/text/first-problems.ts';
import { fullRun } from '#orchestrator/journal/damaged-run.fixture.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { galleryFolder } from '#platform/paths.ts';
import { whole } from '#platform/whole.fixture.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { fuzz, fuzzCases } from '#stats/random/fuzz.fixture.ts';
import { mutatedJson, mutatedText } from '#stats/random/mutate.fixture.ts';
import type { Sfc32 } from '#stats/random/random.ts';
import { readConnectionUrl } from '#workspace/connections/connection-url.ts';
import { parseCsv } from '#workspace/library/csv-records.ts';
import { planContext } from '#workspace/library/plan-context.ts';
import { readInDialect } from '#workspace/library/script-dialects.ts';
import { createCountedLog } from '#workspace/statement-logs/counted-log.ts';
import { logFormats } from '#workspace/statement-logs/read-logs.ts';

vi.setConfig({ testTimeout: whole ? 3_600_000 : 120_000 });

const tried = (input: string, accepts: (random: Sfc32) => boolean) => {
  const row = fuzz(input, fuzzCases(whole), accepts);
  if (whole) console.log(row);
};

const gallery = readdirSync(galleryFolder)
  .filter((name) => name.endsWith('.dyno.yaml'))
  .map((name) => readFileSync(join(galleryFolder, name), 'utf8'));
const runLines = fullRun().split('\n').slice(0, -1);
const [headerLine = ''] = runLines;

test('experiments: what is accepted can be written to a run file and read again; what is not has few problems', () => {
  const header = JSON.parse(headerLine) as object;
  tried('experiment (YAML)', (random) => {
    const yaml = mutatedText(gallery, random);
    const { plan, diagnostics } = planExperiment(parseFile(yaml), planContext());
    expect(diagnostics.length).toBeLessThanOrEqual(mostProblems);
    if (plan === null) {
      expect(diagnostics.some(({ severity, message }) => severity === 'error' && message !== '')).toBe(true);
      return false;
    }
    const line = JSON.stringify({ ...header, yaml, plan });
    const read = createJournalParser('x').parse(line, 1);
    expect(read?.record).toBe('header');
    if (!isDeepStrictEqual(read, JSON.parse(line))) throw new Error(`Another plan is read:\n${yaml}`);
    return true;
  });
});

test('values: an accepted CSV text has the same values after it is written again', () => {
  const corpus = [
    'a,b\n1,2\n3,4\n',
    'name;text\n"x; y";"say ""hello"""\n',
    'a\tb\r\n1\t\r\n',
    '\ufeffid|n\n1|"two\nlines"\n',
  ];
  const textsOf = (records: ReturnType<typeof parseCsv>) => records.map(({ fields }) => fields.map(({ text }) => text));
  const quoted = (rows: readonly (readonly string[])[]) =>
    rows.map((row) => `${row.map((field) => `"${field.replaceAll('"', '""')}"`).join(',')}\n`).join('');
  tried('values (CSV)', (random) => {
    const rows = textsOf(parseCsv(mutatedText(corpus, random), 'x.csv'));
    expect(textsOf(parseCsv(quoted(rows), 'y.csv'))).toEqual(rows);
    return true;
  });
});

test('scripts: code stays in order, and is not split again', () => {
  const corpus = [
    "SELECT 1;\n-- a; b\nINSERT INTO t VALUES ('x;y', \"q\");\n/* ; */ UPDATE t SET a = :b WHERE c = 'it''s';\n",
    'CREATE FUNCTION f() RETURNS int AS $$ BEGIN RETURN 1; END $$ LANGUAGE plpgsql;\nSELECT f();\n',
    'DECLARE @a int = 1;\nSELECT @a;\nGO\nEXEC p @b;\nGO\n',
    'BEGIN\n  INSERT INTO t VALUES (1);\nEND;\n/\nSELECT 1 FROM dual;\n',
  ];
  const most = 50;
  const squeezed = (text: string) => text.replaceAll(/[\s;]/g, '');
  tried('script (SQL)', (random) => {
    const script = mutatedText(corpus, random);
    const { items } = readInDialect(script, most);
    // SQL*Plus sends EXEC as this block.
    const texts = items.flatMap((one) => ('text' in one && !/^BEGIN .*; END;$/s.test(one.text) ? [one.text] : []));
    const source = squeezed(script).replaceAll('@', ':');
    let at = 0;
    for (const text of texts) {
      at = source.indexOf(squeezed(text).replaceAll('@', ':'), at);
      expect(at, text).toBeGreaterThanOrEqual(0);
    }
    return texts.length > 0;
  });
});

test('run files: a line is a record, damaged, or of a kind that is not known', () => {
  const corpus = runLines.slice(1);
  const parser = createJournalParser('x.dyno-run');
  parser.parse(headerLine, 1);
  tried('run file (line)', (random) => {
    const line = corpus[random.below(corpus.length)]!;
    const text =
      random.below(2) === 0 ? mutatedText([line], random) : JSON.stringify(mutatedJson(JSON.parse(line), random));
    const entry = parser.parse(text, 2);
    return entry !== null && entry.record !== 'damaged' && entry.record !== 'unknown';
  });
  tried('run file (header)', (random) => {
    const text =
      random.below(2) === 0
        ? mutatedText([headerLine], random)
        : JSON.stringify(mutatedJson(JSON.parse(headerLine), random));
    return createJournalParser('x.dyno-run').parse(text, 1) !== null;
  });
});

test('connection URLs: what is accepted has its password apart, and a refusal does not repeat it', () => {
  const canary = 'canary7d1f';
  const corpus = catalog
    .flatMap(({ descriptor }) => descriptor.config.find(({ name }) => name === 'url')?.placeholder ?? [])
    .flatMap((url) => [url, url.replace('://', `://user:${canary}@`), `${url}?ssl=true`]);
  const engines = [null, ...catalog.map(({ descriptor }) => descriptor.id)];
  tried('connection URL', (random) => {
    const url = mutatedText(corpus, random);
    const engine = engines[random.below(engines.length)] ?? null;
    try {
      const read = readConnectionUrl(url, engine);
      expect(JSON.parse(JSON.stringify(read))).toEqual(read);
      return true;
    } catch (thrown) {
      if (url.includes(`:${canary}@`)) expect(String(thrown)).not.toContain(canary);
      throw thrown;
    }
  });
});

test('messages of the supervisor: lines that are none are passed over, and the next ones are read', () => {
  const corpus = ['{"token":"x","ask":"hold"}', '{"tell":"status","status":{"state":"ready","users":1}}'];
  tried('message of the supervisor (IPC)', (random: Sfc32) => {
    const values: unknown[] = [];
    const read = jsonLines(
      (value) => values.push(value),
      () => expect.unreachable(),
    );
    const line = mutatedText(corpus, random);
    const cutAt = random.below(line.length + 1);
    read(line.slice(0, cutAt));
    read(`${line.slice(cutAt)}\n"last"\n`);
    expect(values.at(-1)).toBe('last');
    return values.length > 1;
  });
});

test('log files: every line is an entry, a part of one or unreadable, and the balance adds up', () => {
  const corpus = readdirSync(join(import.meta.dirname, 'logs')).map((name) =>
    readFileSync(join(import.meta.dirname, 'logs', name), 'utf8'),
  );
  tried('log files', (random) => {
    const lines = mutatedText(corpus, random).split('\n');
    const found = logFormats.find(({ format }) => format.recognises(lines));
    if (!found) return false;
    const counted = createCountedLog(found.engine.descriptor.statements!, {
      ...{ since: null, database: null, keepValues: false },
    });
    const bad: number[] = [];
    const sink = { ...counted.sink, unreadable: (line: number) => bad.push(line) };
    const reader = found.format.open(sink, { prefix: null, head: lines });
    for (const [i, line] of lines.entries()) reader.line(line, i + 1, false);
    reader.end();
    const { entries, untimed: _, ...parts } = counted.balance();
    expect(Object.values(parts).reduce((sum, one) => sum + one, 0)).toBe(entries);
    expect(bad.every((line) => line >= 1 && line <= lines.length)).toBe(true);
    const { statements, others, totalCalls } = counted.kept();
    const told = [...statements, ...others].reduce((sum, { calls }) => sum + calls, 0);
    expect(told).toBeCloseTo(totalCalls, 3);
    return entries > 0;
  });
});
