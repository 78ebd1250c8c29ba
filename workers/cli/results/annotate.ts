import * as v from 'valibot';
import { DynoError } from '#model/error.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { type AnnotationChange, annotationChangeSchema } from '#protocol/run-annotation.ts';
import { openRuns } from '#workspace/runs/runs.ts';
import { type Command, jsonOption, text, texts } from '../command.ts';
import { findRun, runWordsHelp } from '../find-run.ts';
import { runLine } from './run-line.ts';

/** `dyno annotate`: gives a run a title, a note and tags, and pins it as the baseline of its experiment. */
export const annotateCommand: Command = {
  name: 'annotate',
  arguments: 'RUN',
  summary: 'Gives a run a title, a note or tags, or pins it as the baseline of its experiment, and prints the run.',
  help: `RUN is ${runWordsHelp}. An empty text removes the title or the note. The run file stays as it is.`,
  options: {
    title: { type: 'string', about: 'The title of the run, on one line.' },
    note: { type: 'string', about: 'The note on the run.' },
    tag: { type: 'string', multiple: true, about: 'Adds a tag, a word without spaces (repeatable).' },
    untag: { type: 'string', multiple: true, about: 'Removes a tag (repeatable).' },
    baseline: { type: 'boolean', about: 'Pins the run as the baseline of its experiment, in place of another run.' },
    'no-baseline': { type: 'boolean', about: 'Unpins the run.' },
    ...jsonOption,
  },
  takes: [1, 1],
  async run({ home, positionals: [word = ''], values, print, printJson }) {
    const runs = openRuns(home);
    const file = await findRun(home, word);
    const find = async () => (await runs.list()).find(({ id }) => runs.file(id) === file);
    const run = await find();
    if (run === undefined)
      throw new DynoError('badInput', `${file} is not in the list of runs.`, {
        hint: 'Import it in the window, or copy it into the folder of the runs.',
      });
    const [title, note] = [text(values, 'title'), text(values, 'note')];
    const [added, removed] = [texts(values, 'tag'), texts(values, 'untag')];
    const isBaseline = values.baseline === true ? true : values['no-baseline'] === true ? false : undefined;
    const change = checked({
      ...(title !== undefined && { title }),
      ...(note !== undefined && { note }),
      ...(isBaseline !== undefined && { isBaseline }),
    });
    const tagsOf = (present: readonly string[]) => {
      const kept = present.filter((tag) => !removed.includes(tag));
      return checked({ tags: [...new Set([...kept, ...added])] }).tags ?? [];
    };
    await runs.annotate(run.id, change, added.length + removed.length > 0 ? tagsOf : undefined);
    const changed = (await find()) ?? run;
    if (values.json) printJson(changed);
    else print(runLine(changed));
    return exitCodes.ok;
  },
};

/** A change that annotations can have. Throws 'badInput' with the reason for another one. */
function checked(change: AnnotationChange): AnnotationChange {
  const parsed = v.safeParse(annotationChangeSchema, change);
  if (!parsed.success) throw new DynoError('badInput', parsed.issues[0].message);
  return parsed.output;
}
