import type { LoggedCalls, LogSink } from '#engine-api/statement-log.ts';

/** A message of the server's log. */
interface Message {
  /** The session or process; the same for all entries of one session. */
  readonly session: string;
  readonly severity: string;
  readonly message: string;
  readonly detail: string | null;
  readonly at: number | null;
  readonly database: string | null;
  readonly isCut: boolean;
}

/** Finds the calls in messages. */
interface Messages {
  take(message: Message): void;
  /** The detail of the session's last message, where it is an entry of its own. */
  detail(session: string, text: string): void;
  end(): void;
}

/** A call whose details, or time, may follow. */
interface Pending {
  readonly calls: LoggedCalls;
  readonly detail: string | null;
}

/** The most sessions of which one call waits for its details. */
const mostSessions = 10_000;

/** The messages of log_min_duration_statement, log_duration and log_statement (backend/tcop/postgres.c). */
const timed = /^duration: (\d+(?:\.\d+)?) ms(?:\s+(statement|parse|bind|execute fetch from|execute)(?: [^:]*)?: ?)?/;
const untimed = /^(?:statement|execute fetch from [^:]*|execute [^:]*): ?/;

/** Puts together the messages of each session: texts, times and values of a call may be entries of their own. */
export function readMessages(sink: LogSink): Messages {
  const waiting = new Map<string, Pending>();
  const give = ({ calls, detail }: Pending) => sink.calls(withDetail(calls, detail));
  const flush = (session: string) => {
    const pending = waiting.get(session);
    waiting.delete(session);
    if (pending) give(pending);
  };
  const wait = (session: string, pending: Pending) => {
    if (waiting.size >= mostSessions) flush(waiting.keys().next().value!);
    waiting.set(session, pending);
  };
  return {
    take({ session, severity, message, detail, at, database, isCut }) {
      const found = severity === 'LOG' ? timed.exec(message) : null;
      const common = { rows: null, at, database, ...(isCut && { isCut }) };
      if (found) {
        const [whole, ms, step] = found;
        const pending = waiting.get(session);
        if (step !== undefined) {
          flush(session);
          const calls = step === 'parse' || step === 'bind' || step === 'execute fetch from' ? 0 : 1;
          return wait(session, {
            calls: { ...common, text: message.slice(whole.length), calls, ms: Number(ms) },
            detail,
          });
        }
        // Behind a time without a text may stand what auto_explain or another module adds.
        if (message.length > whole.length)
          return sink.other(/^\s+plan:/.test(message.slice(whole.length)) ? 'plan' : 'message');
        if (pending?.calls.ms === null) {
          waiting.delete(session);
          sink.other('message');
          return give({ ...pending, calls: { ...pending.calls, ms: Number(ms) } });
        }
        return sink.other('message');
      }
      const begun = severity === 'LOG' ? untimed.exec(message)?.[0] : undefined;
      if (begun === undefined) {
        if (['ERROR', 'FATAL', 'PANIC'].includes(severity) && waiting.get(session)?.calls.ms === null) {
          waiting.delete(session);
          sink.other('failed');
        }
        return sink.other('message');
      }
      flush(session);
      const calls = begun.startsWith('execute fetch') ? 0 : 1;
      wait(session, { calls: { ...common, text: message.slice(begun.length), calls, ms: null }, detail });
    },
    detail(session, text) {
      const pending = waiting.get(session);
      if (pending && pending.detail === null) waiting.set(session, { ...pending, detail: text });
      sink.other('message');
    },
    end() {
      for (const pending of waiting.values()) give(pending);
      waiting.clear();
    },
  };
}

const valueAt = /\$\d+ = (?:'((?:[^']|'')*)'|(NULL))/g;

/** The call with the values of its detail, or with the text of the prepared statement that EXECUTE names. */
function withDetail(calls: LoggedCalls, detail: string | null): LoggedCalls {
  if (detail === null) return calls;
  if (/^parameters: /i.test(detail)) {
    const values = [...detail.matchAll(valueAt)].map(([, value, none]) =>
      none === undefined ? value!.replaceAll("''", "'") : null,
    );
    return { ...calls, values };
  }
  const prepared = /^prepare: PREPARE\s+(?:"[^"]*"|\w+)\s*(?:\([^)]*\)\s*)?AS\s+/i.exec(detail);
  return prepared ? { ...calls, text: detail.slice(prepared[0].length) } : calls;
}

/** Hours that zones of servers are ahead of UTC, by the abbreviations that mean one zone alone. */
const zones: Readonly<Record<string, number>> = {
  ...{ UTC: 0, GMT: 0, Z: 0, WET: 0, WEST: 1, CET: 1, CEST: 2, EET: 2, EEST: 3, MSK: 3, JST: 9, KST: 9, AEST: 10 },
  ...{ EST: -5, EDT: -4, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7, AEDT: 11, NZST: 12, NZDT: 13, BRT: -3 },
};

const timeAt = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.(\d{1,3})\d*)?\s*(\S+)?$/;

/** The time of an entry, `2026-11-30 22:00:00.123 UTC`, in ms since 1970; null: it or its zone cannot be read. */
export function timeOf(text: string): number | null {
  const found = timeAt.exec(text);
  if (!found) return null;
  const [, year, month, day, hour, minute, second, ms = '0', zone = ''] = found;
  const offset = /^([+-]\d\d)(?::?(\d\d))?$/.exec(zone);
  const hours = offset
    ? Number(offset[1]) + (offset[1]!.startsWith('-') ? -1 : 1) * (Number(offset[2] ?? 0) / 60)
    : zones[zone.toUpperCase()];
  if (hours === undefined) return null;
  const at = Date.UTC(+year!, +month! - 1, +day!, +hour!, +minute!, +second!, Number(ms.padEnd(3, '0')));
  return at - hours * 3_600_000;
}
