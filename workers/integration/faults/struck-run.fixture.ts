import { readFileSync, readSync, writeSync } from 'node:fs';
import { dispatch } from '#cli/dispatch.ts';
import { runCommand } from '#cli/run/run.ts';
import { runAndReport } from '#cli/run/run-and-report.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';

/**
 * `dyno run` that pauses at the beginning of each phase of its second trial, and before it writes its report. For the
 * load, it pauses after the first rows; `setup` is the schema phase of the statements of `setup`. It sends the phase on
 * descriptor 3, before the run file contains it, and continues after a byte on its standard input.
 */
const stand = (phase: string): void => {
  writeSync(3, `${phase}\n`);
  readSync(0, Buffer.alloc(1));
};

const standing: typeof runCommand = {
  ...runCommand,
  async run(context) {
    const run = await newTrustedRun({ home: context.home, yaml: readFileSync(context.positionals[0] ?? '', 'utf8') });
    let isSecond = false;
    let isLoading = false;
    let hasSchema = false;
    run.on('record', (one) => {
      if (one.record === 'result') isSecond = true;
      if (one.record === 'end') stand('report');
      if (one.record !== 'phase' || !isSecond) return;
      isLoading = one.phase === 'load';
      // The schema phase comes again for the statements of `setup`.
      if (!isLoading) stand(one.phase === 'schema' && hasSchema ? 'setup' : one.phase);
      hasSchema ||= one.phase === 'schema';
    });
    run.on('progress', ({ activity }) => {
      if (!isLoading || !/ load \d+ %$/.test(activity)) return;
      isLoading = false;
      stand('load');
    });
    return runAndReport(run, context);
  },
};

process.exitCode = await dispatch([standing], process.argv.slice(2));
