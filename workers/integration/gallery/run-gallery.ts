import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { onInterrupt } from '#cli/interrupt.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureHome, galleryFolder, homeOf, projectRoot } from '#platform/paths.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { readCoverage } from './coverage-table.ts';
import { type CardOutcome, runCards } from './run-cards.ts';

// `npm run gallery [-- card…] [-- --on target,target]` runs every experiment of the gallery at its small size on every
// engine that is on this machine, and prints a table as it goes. Its exit code is 1 where a trial failed, an engine
// runs less than the table of experiments/README.md says, or a published ratio has turned its sign for certain. Ended
// early, the same command goes on. Runs and servers are in a home of its own, .build/gallery.

const ending = '.dyno.yaml';
const wanted = process.argv.slice(2).filter((word, i, all) => word !== '--on' && all[i - 1] !== '--on');
const on = process.argv.includes('--on') ? process.argv[process.argv.indexOf('--on') + 1]?.split(',') : undefined;
const names = readdirSync(galleryFolder)
  .filter((file) => file.endsWith(ending))
  .map((file) => basename(file, ending));
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`The gallery has no ${unknown.join(', ')}. There are: ${names.join(', ')}`);
  process.exit(exitCodes.usage);
}

const home = homeOf({ DYNO_HOME: join(projectRoot, '.build', 'gallery') });
ensureHome(home);
const stop = new AbortController();
using _ = onInterrupt(() => {
  console.error('Ending: the run under way is cancelled, and servers stop.');
  stop.abort();
});

const cards = (wanted.length > 0 ? wanted : names).map((name) => ({
  name,
  file: parseFile(readFileSync(join(galleryFolder, `${name}${ending}`), 'utf8')),
}));
const widths = [Math.max(10, ...cards.map(({ name }) => name.length)), 18, 6, 24, 8];
const line = (cells: readonly string[]) =>
  cells
    .map((cell, i) => cell.padEnd(widths[i] ?? 0))
    .join('  ')
    .trimEnd();
console.log(line(['experiment', 'engine', 'trials', 'published ratios', 'seconds', 'result']));

const outcomes: CardOutcome[] = [];
await runCards({
  ...{ home, cards, signal: stop.signal, ...(on && { targets: on }) },
  table: readCoverage(readFileSync(join(galleryFolder, 'README.md'), 'utf8')),
  note: (text) => console.log(text),
  onOutcome(one) {
    outcomes.push(one);
    const { card, engine, trials, failures, undecided, confirmed, seconds, isKept } = one;
    const ratios = [
      ...(confirmed > 0 ? [`${confirmed} confirmed`] : []),
      ...(undecided.length > 0 ? [`${undecided.length} not decided`] : []),
    ].join(', ');
    const result = failures.length === 0 ? 'ok' : `FAILED: ${failures.join(' ')}`;
    console.log(line([card, engine, `${trials ?? '–'}`, ratios, isKept ? 'kept' : seconds.toFixed(1), result]));
  },
});

const list = (title: string, lines: readonly string[]) => {
  if (lines.length > 0) console.log([`\n${title}:`, ...lines.map((one) => `  ${one}`)].join('\n'));
};
list(
  'Published ratios that the runs do not decide',
  outcomes.flatMap(({ card, undecided }) => undecided.map((sentence) => `${card}: ${sentence}`)),
);
const failed = outcomes.flatMap(({ card, engine, failures }) => failures.map((why) => `${card} on ${engine}: ${why}`));
list('Failed', failed);
const ran = outcomes.filter(({ trials }) => trials !== null).length;
console.log(
  `\n${ran} runs, ${failed.length} failures${stop.signal.aborted ? '; ended early: the same command goes on' : ''}`,
);
process.exitCode = stop.signal.aborted ? exitCodes.cancelled : failed.length > 0 ? exitCodes.internal : exitCodes.ok;
