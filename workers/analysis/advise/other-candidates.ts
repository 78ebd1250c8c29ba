import type { Mapping } from '#experiment/schema/changes.ts';
import { textFor } from '#experiment/statements/statement-mix.ts';
import { formatBytes } from '#model/format/format.ts';
import { repeatedLookUps, withOneStatement } from '../findings/statements/repeated-look-ups.ts';
import type { AdvisedWork, Candidate } from './candidate.ts';

/** The memory that sorts are given on trial, KB: more than the defaults of servers, and then enough for most sorts. */
const memories = [16_384, 131_072] as const;

/** More memory for sorts, where a plan wrote temporary files. */
export function sortMemoryCandidates({ statements, descriptor }: AdvisedWork): readonly Candidate[] {
  const setting = descriptor.sortMemory?.setting;
  const spilled = statements.filter(({ plan }) => plan?.steps.some((step) => step.spilled === true));
  if (setting === undefined || spilled.length === 0) return [];
  const names = spilled.map(({ name }) => name);
  return memories.map((kb): Candidate => {
    const value = setting.unit === 'kB' ? `${kb}kB` : String(kb * 1_024);
    return {
      kind: 'sortMemory',
      title: `${setting.name} of ${formatBytes(kb * 1_024)}`,
      why: `A sort or hash of “${names.join('”, “')}” does not fit into its memory and is written to temporary files.`,
      tables: [],
      statements: names,
      steps: [{ do: 'set', name: setting.name, value }],
      change: { session: { [descriptor.id]: { [setting.name]: value } } },
    };
  });
}

/** Fewer look-ups cost little more than one statement for all keys. */
const leastTimes = 3;

/** One statement for all keys, where a transaction looks them up one by one. */
export function lookUpCandidates({ experiment, descriptor, target }: AdvisedWork): readonly Candidate[] {
  const { statements = {}, transactions = {} } = experiment;
  if (descriptor.statements?.language !== 'sql') return [];
  const textOf = (name: string) => {
    const spec = statements[name];
    return spec ? textFor(spec.text, { target, engine: descriptor.id }) : null;
  };
  return repeatedLookUps(experiment, textOf)
    .filter(({ times, kind }) => times >= leastTimes && kind === 'transaction')
    .flatMap((found): readonly Candidate[] => {
      const edits = withOneStatement(experiment, found);
      const [added, changed] = edits ?? [];
      const own = transactions[found.unit];
      if (added === undefined || changed === undefined || own === undefined) return [];
      const name = added.path.at(-1)!;
      const spec = added.value as Mapping;
      const text = typeof spec.text === 'string' ? spec.text : (textOf(found.statement) ?? '');
      return [
        {
          kind: 'lookUps',
          title: `${found.unit} with one look-up for all keys`.slice(0, 110),
          why: `“${found.unit}” runs “${found.statement}” ${found.times} times, each time for one key (N+1).`,
          tables: [],
          statements: [found.unit],
          steps: [{ do: 'replaceText', statement: found.statement, text }],
          change: {
            statements: { [name]: { ...spec, weight: 0 }, [found.statement]: { weight: 0 } },
            transactions: { [found.unit]: { steps: (changed.value as Mapping).steps } },
          },
        },
      ];
    });
}
