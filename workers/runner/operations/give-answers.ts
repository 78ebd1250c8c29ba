import type { Database } from '#engine-api/database.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { AnsweredRows } from '#engine-api/statement.ts';
import type { StopSignal } from '#engine-api/stop-signal.ts';
import { requireSessionSettings } from '#engine-api/support/session-settings.ts';
import { DynoError, type ErrorData } from '#model/error.ts';
import { type CanonicalAnswer, folded } from '#model/statements/compare-rows.ts';
import type { GivenAnswers, GivenDraw } from '#protocol/measurement.ts';
import type { AskedStatement, ControlRequest } from '#protocol/messages.ts';
import { canonicalAnswer } from './canonical-rows.ts';
import {
  type AskingWork,
  asked,
  askInTime,
  type Draws,
  digestOf,
  lateText,
  shortened,
  timeOfEach,
} from './compare-answers.ts';

/** Maximum number of characters of the rows that are kept of a statement; further answers have digests alone. */
const mostCharacters = 16_000;

/**
 * Asks the text of each statement with drawn values, for comparisons with other targets. An error of a server, and a
 * text that answers the same values otherwise when it is asked again, are reasons why its answers prove nothing.
 */
export async function giveAnswers(
  engine: EngineDescriptor,
  database: Database,
  request: ControlRequest & { readonly call: 'giveAnswers' },
  toError: (thrown: unknown) => ErrorData,
  stop: StopSignal,
): Promise<readonly GivenAnswers[]> {
  const { statements: language } = engine;
  if (!language) throw new DynoError('unsupported', 'This engine runs no custom statements.');
  const settings = requireSessionSettings(engine, request.session ?? {});
  const given: GivenAnswers[] = [];
  for (const { one, untilMs } of timeOfEach(request)) {
    stop.throwIfAborted();
    await using session = await database.openSession(request.options, request.settings.isolation, settings);
    given.push(await answersOf({ ...request, language, session, untilMs, stop, toError }, one));
  }
  return given;
}

async function answersOf(work: AskingWork, { name, mix }: AskedStatement): Promise<GivenAnswers> {
  const { untilMs, stop, language } = work;
  const isNamed = language.language !== 'sql';
  const draws: GivenDraw[] = [];
  const keep = keepingRows(mostCharacters);
  const why = await askInTime(work, async () => {
    const own = await asked(work, mix);
    return async () => {
      for (let draw = 0; draw < work.draws && performance.now() < untilMs; draw++) {
        stop.throwIfAborted();
        draws.push(keep(givenDraw(own, draw, await own.answer(draw), isNamed)));
      }
      if (draws.length === 0 || performance.now() >= untilMs) return null;
      const again = givenDraw(own, 0, await own.answer(0), isNamed);
      return again.given.digests.set === draws[0]!.digests.set
        ? null
        : 'its text itself gives other answers to the same values';
    };
  });
  const reason = why ?? (draws.length === 0 ? lateText(work) : null);
  return { statement: name, draws, ...(reason !== null && { why: reason }) };
}

interface Given {
  readonly given: GivenDraw;
  readonly rows: string[][];
}

/** Adds the rows to answers until they have this number of characters; further answers have digests alone. */
export function keepingRows(characters: number): (given: Given) => GivenDraw {
  let left = characters;
  return ({ given, rows }) => {
    const own = JSON.stringify(rows).length;
    if (own > left) return given;
    left -= own;
    return { ...given, rows };
  };
}

/**
 * `isNamed`: the columns are fields of documents, which come in any order, so that they get the order of their names.
 */
export function givenDraw(own: Draws, draw: number, answer: AnsweredRows, isNamed: boolean): Given {
  const ordered = isNamed ? answer.columns.toSorted((a, b) => byName(a, b)) : answer.columns;
  const { columns, rows, exact, hasMore }: CanonicalAnswer = canonicalAnswer(answer, ordered);
  const given: GivenDraw = {
    parameters: own.parametersOf(draw).map(({ name, value }) => ({ name, value: shortened(value) })),
    values: digestOf([own.valuesOf(draw)]),
    columns: [...columns],
    exact: [...exact],
    count: rows.length,
    ...(hasMore && { hasMore }),
    digests: {
      set: digestOf(rows),
      known: digestOf(rows.map((row) => row.map((value, c) => (exact[c] ? value : withoutNumber(value))))),
      order: digestOf(rows, true),
      columns: columns.map((_, c) =>
        digestOf(
          rows.map((row) => [folded(row[c]!)]),
          true,
        ),
      ),
    },
  };
  return { given, rows: rows.map((row) => [...row]) };
}

const byName = (a: string, b: string): number => {
  const [own, other] = [a.toLowerCase(), b.toLowerCase()];
  return own < other ? -1 : own > other ? 1 : 0;
};

const withoutNumber = (value: string): string => (value.startsWith('n') ? 'n' : value);
