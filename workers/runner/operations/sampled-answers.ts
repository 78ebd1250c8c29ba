import type { CustomStatement, KeptAnswer } from '#engine-api/statement.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { GivenAnswers, GivenDraw } from '#protocol/measurement.ts';
import type { ClientJob, SampledCalls } from '#protocol/messages.ts';
import { type DrawnWork, type Draws, drawsOf } from './compare-answers.ts';
import { givenDraw, keepingRows } from './give-answers.ts';
import type { StatementStep } from './plan-items.ts';

/** An answer with more rows than these is not compared: the rows stay in memory until the clock has stopped. */
const mostRows = 1_000;
/** Maximum number of rows that all kept answers of a worker have together. */
const mostKeptRows = 20_000;
/** Maximum number of draws for a statement in a trial. */
const mostDraws = 200;
/** Maximum number of characters of the rows that are kept of a statement; further answers have digests alone. */
const mostCharacters = 4_000;
/** Time from one sampled call to the next, ms. A sampled call takes a little longer, because its rows are kept. */
const pauseMs = 50;

/**
 * The calls of a measured phase whose answers are kept. Every now and then a call of a statement has the next draw of a
 * list that all variants and targets share, in place of its own values. Nothing but the keeping happens while the clock
 * runs: the answers are read when it has stopped.
 */
export class SampledAnswers {
  readonly #statements: readonly SampledStatement[];

  constructor({ statements, draws, isNamed }: SampledCalls, work: DrawnWork) {
    const budget = { rows: mostKeptRows };
    this.#statements = statements.map(
      ({ name, mix }) => new SampledStatement(name, drawsOf(work, mix), Math.min(draws, mostDraws), budget, isNamed),
    );
  }

  /** The measured phase begins. */
  begin({ until, seconds }: Pick<ClientJob['measure'], 'until' | 'seconds'>, nowMs: number): void {
    const phaseMs = until === 'time' ? seconds * 1_000 : 0;
    for (const [i, one] of this.#statements.entries())
      one.begin(nowMs + i * pauseMs, Math.max(pauseMs * this.#statements.length, phaseMs / one.draws));
  }

  /** The sampled calls of a step; null: its calls are not sampled. */
  ofStep(name: string, step: StatementStep): SampledStep | null {
    const own = this.#statements.find((one) => one.name === name);
    const places = own?.placesFor(step) ?? null;
    return own === undefined || places === null ? null : { own, places };
  }

  given(): readonly GivenAnswers[] {
    return this.#statements.map((one) => one.given());
  }
}

/** A step whose calls are sampled, and the place of each of its parameters among the drawn values. */
export interface SampledStep {
  readonly own: SampledStatement;
  readonly places: readonly number[];
}

/** Asks the next draw in place of a call, and keeps its answer. Returns the number of rows, as run() does. */
export const askSampled = ({ own, places }: SampledStep, statement: CustomStatement, startMs: number) =>
  own.ask(statement, places, startMs);

class SampledStatement {
  readonly name: string;
  readonly draws: number;
  /** The next call that begins at or after this time is sampled. */
  dueMs = Number.POSITIVE_INFINITY;
  #pauseMs = 0;
  readonly #drawn: Draws;
  readonly #batches: readonly Batch[];
  readonly #left: number[];
  readonly #kept = new Map<number, KeptAnswer>();
  /** Shared by all statements. */
  readonly #budget: { rows: number };
  readonly #isNamed: boolean;

  constructor(name: string, drawn: Draws, draws: number, budget: { rows: number }, isNamed: boolean) {
    this.name = name;
    this.draws = draws;
    this.#drawn = drawn;
    this.#batches = Array.from({ length: draws }, (_, draw) => drawn.batchOf(draw));
    this.#left = [...this.#batches.keys()].toReversed();
    this.#budget = budget;
    this.#isNamed = isNamed;
  }

  begin(atMs: number, everyMs: number): void {
    this.dueMs = atMs;
    this.#pauseMs = everyMs;
  }

  /** Null: the step gets values from elsewhere, or gives some to later steps. */
  placesFor({ parameters, places, captures }: StatementStep): readonly number[] | null {
    if (captures.length > 0 || places.some((place) => place < 0)) return null;
    const drawn = this.#drawn.step.parameters.map((one) => JSON.stringify(one));
    const found = parameters.map((one) => drawn.indexOf(JSON.stringify(one)));
    return found.includes(-1) ? null : found;
  }

  async ask(statement: CustomStatement, places: readonly number[], startMs: number): Promise<number | null> {
    const draw = this.#left.pop()!;
    this.dueMs = this.#left.length > 0 ? startMs + this.#pauseMs : Number.POSITIVE_INFINITY;
    try {
      const { columns } = this.#batches[draw]!;
      const call = statement.encode({ rows: 1, columns: places.map((place) => columns[place]!) });
      const answer = await statement.answer(call, mostRows);
      this.#keep(draw, answer);
      return answer.count;
    } catch (thrown) {
      // The draw is asked again later, so that the draws of all trials are the first ones of the list.
      this.#left.push(draw);
      this.dueMs = startMs + this.#pauseMs;
      throw thrown;
    }
  }

  #keep(draw: number, answer: KeptAnswer): void {
    const { count } = answer;
    const isLong = count === null || count > mostRows;
    this.#kept.set(draw, isLong ? { count, read: () => tooLong } : answer);
    this.#budget.rows -= isLong ? 0 : count;
    if (this.#budget.rows <= 0) this.dueMs = Number.POSITIVE_INFINITY;
  }

  /** The answers of the first draws, up to one that has none. */
  given(): GivenAnswers {
    const keep = keepingRows(mostCharacters);
    const draws: GivenDraw[] = [];
    for (let draw = 0; this.#kept.has(draw); draw++)
      draws.push(keep(givenDraw(this.#drawn, draw, this.#kept.get(draw)!.read(), this.#isNamed)));
    return { statement: this.name, draws };
  }
}

const tooLong = { columns: [], rows: [], count: 0, hasMore: true } as const;
