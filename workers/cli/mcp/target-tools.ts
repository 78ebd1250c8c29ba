import * as v from 'valibot';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { builtInTargets, protectionLine } from '../targets/targets.ts';
import { pageInput, pageOf, pageOutput } from './pages.ts';
import { about, tool } from './tool.ts';

/** The tools that read about targets. */
export const targetTools = [
  tool({
    name: 'list_targets',
    title: 'List targets',
    description:
      'Lists the targets that experiments can name: the built-in targets, whose servers Dyno starts itself, and the user’s connections by their names, without addresses and logins.',
    input: v.strictObject(pageInput),
    output: v.object(
      pageOutput(
        v.object({
          name: v.string(),
          engine: v.string(),
          isBuiltIn: v.boolean(),
          about: about(v.string(), 'What a built-in target is, or the group of a connection.'),
          production: about(v.nullable(v.string()), 'The protection of a production connection; null: it is none.'),
          missing: about(v.nullable(v.string()), 'What this machine lacks for a built-in target; null: nothing.'),
          allowsRuns: about(v.boolean(), 'True: run_experiment may use it.'),
        }),
      ),
    ),
    acts: false,
    async answer(page, { home, runs }) {
      const allowsRuns = (name: string) => runs.limits?.allowed.includes(name) ?? false;
      const builtIn = (await builtInTargets()).map(({ target: name, engine, about: what, missing }) => {
        const lack = missing && `${missing.what} To fix: ${missing.fix}`;
        const common = { name, engine, about: what, production: null, missing: lack, allowsRuns: allowsRuns(name) };
        return { ...common, isBuiltIn: true };
      });
      const mine = openConnectionStore(home)
        .list()
        .connections.map(({ name, engine, group = '', production }) => ({
          ...{ name, engine, isBuiltIn: false, about: group, missing: null, allowsRuns: allowsRuns(name) },
          production: production === undefined ? null : protectionLine(production, engine),
        }));
      return pageOf([...builtIn, ...mine], page);
    },
  }),
];
