import type { LiveSeries } from '#live-series/live-series.ts';
import { printable } from '#model/text/printable.ts';
import { advise } from '#orchestrator/advise/advise.ts';
import type { Run } from '#orchestrator/run/run-scheduler.ts';
import { catalogEntry } from '#orchestrator/worker/targets.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureHome } from '#platform/paths.ts';
import { adviceText } from '#presentation/terminal/advice-text.ts';
import { adviceJson } from '#presentation/text/advice-json.ts';
import { budgetSecondsOf, usualBudget, wrongBudget } from '../budget.ts';
import { type Command, jsonOption, text } from '../command.ts';
import { confirmedHosts, confirmOption } from '../confirm-option.ts';
import { experimentOptions, givenExperiment } from '../experiments/experiment-text.ts';
import { requireTrust, trustOption } from '../experiments/require-trust.ts';
import { onInterrupt } from '../interrupt.ts';
import { keepAwake } from './keep-awake.ts';
import { liveSeriesOptions, openAskedSeries } from './live-series-options.ts';
import { showProgress } from './progress-line.ts';

/** `dyno advise`: finds and measures changes that make an experiment faster. */
export const adviseCommand: Command = {
  name: 'advise',
  arguments: 'FILE',
  summary:
    'Finds indexes, texts and settings that may make the statements of an experiment faster, measures them, and recommends what is certainly better.',
  help: 'Dyno tries candidates on its own tables: missing, covering, partial and reordered indexes, indexes to drop, conditions on plain columns, one look-up for many keys, more memory for sorts. A first trial of each shows whether the server uses it, and one interleaved run compares the promising ones, also by their cost to writes. The run keeps the advice (`dyno report RUN`), and its experiment is kept, too. Dyno makes no index on tables of yours: there it tries texts and settings of the session alone.',
  options: {
    budget: {
      type: 'string',
      about: `The time after which nothing is measured: 90s, 20m or 2h. Default: ${usualBudget}.`,
    },
    target: { type: 'string', about: 'Uses this target. Default: the first one that runs statements.' },
    ...experimentOptions,
    ...trustOption,
    ...confirmOption,
    out: { type: 'string', short: 'o', about: 'Writes the run file to this path instead of Dyno’s home.' },
    ...liveSeriesOptions,
    ...jsonOption,
    quiet: { type: 'boolean', short: 'q', about: 'Prints no progress.' },
  },
  takes: [1, 1],
  async run(context) {
    const { home, positionals, values, print, printJson, note } = context;
    const [word = ''] = positionals;
    const budgetSeconds = budgetSecondsOf(text(values, 'budget') ?? usualBudget);
    if (budgetSeconds === null) {
      note(wrongBudget);
      return exitCodes.usage;
    }
    const given = givenExperiment(home, word, values);
    ensureHome(home);
    const experiment = requireTrust(home, given, values.trust === true);
    await using live = await openAskedSeries(context);
    const quiet = values.quiet === true;
    const stop = new AbortController();
    using _awake = keepAwake();
    using _ = onInterrupt(() => stop.abort());
    const [target, runFile] = [text(values, 'target'), text(values, 'out')];
    const report = await advise({
      ...{ home, experiment, file: given.file, folder: given.folder, budgetSeconds },
      confirmed: confirmedHosts(values),
      ...(target && { target }),
      ...(runFile && { runFile }),
      signal: stop.signal,
      onActivity: quiet ? () => {} : note,
      onRun: (run) => watched(run, quiet, live),
    });
    const { descriptor } = catalogEntry(report.engine);
    if (values.json === true) printJson(adviceJson(report, descriptor));
    else print(printable(adviceText(report, descriptor)));
    return exitCodes.ok;
  },
};

/** Shows the progress of a run until it is disposed; `live`: other programs follow it, too. */
function watched(run: Run, quiet: boolean, live: LiveSeries | null): Disposable {
  const followed = live?.follow(run);
  const view = showProgress(process.stderr, quiet, run.plan.measure);
  const off = run.on('progress', (progress) => view.update(progress));
  return {
    [Symbol.dispose]() {
      off();
      followed?.[Symbol.dispose]();
      view[Symbol.dispose]();
    },
  };
}
