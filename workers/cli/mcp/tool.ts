import * as v from 'valibot';
import type { Home } from '#platform/paths.ts';
import type { Checks } from '#workspace/library/checks.ts';
import type { AgentRuns } from './agent-runs.ts';

/** The things of this process that tools work with. */
export interface ToolContext {
  readonly home: Home;
  readonly checks: Checks;
  readonly runs: AgentRuns;
  /** Aborted when the client cancels the request, or has gone. */
  readonly signal: AbortSignal;
  /** Tells the client how far its request is. `total`: null while unknown. */
  readonly tell: (progress: number, total: number | null, message: string) => void;
}

type ObjectSchema = v.GenericSchema<unknown, object>;

interface ToolOf<I extends ObjectSchema, O extends ObjectSchema> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: I;
  readonly output: O;
  /** True if the tool starts or ends runs, so that it exists only where the user has allowed runs. */
  readonly acts: boolean;
  /** Throws DynoError with the reason for an answer that it cannot give. */
  answer(given: v.InferOutput<I>, context: ToolContext): Promise<v.InferOutput<O>>;
}

/** A tool that agents can call, with the schemas of its arguments and of its answer. */
export type Tool = Omit<ToolOf<ObjectSchema, ObjectSchema>, 'answer'> & {
  answer(given: unknown, context: ToolContext): Promise<object>;
};

/** A tool whose arguments are parsed before it answers. */
export const tool = <I extends ObjectSchema, O extends ObjectSchema>(one: ToolOf<I, O>): Tool => ({
  ...one,
  answer: (given, context) => one.answer(v.parse(one.input, given), context),
});

/** An argument or a member of an answer, with its description. */
export const about = <T, S extends v.GenericSchema<unknown, T>>(schema: S, description: string) =>
  v.pipe(schema, v.description(description));

/** The longest name, id or word of an argument. */
const longestWord = 500;

/** A name, an id or a word in an argument. */
export const word = (description: string) => about(v.pipe(v.string(), v.maxLength(longestWord)), description);
