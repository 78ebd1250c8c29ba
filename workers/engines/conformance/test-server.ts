import type { Isolation, MethodName } from '#model/settings/vocabulary.ts';
import type { ListType } from '#model/statements/statements.ts';

/** One real server of an engine, and what the conformance suite needs to do behind Dyno's back. */
export interface TestServer extends AsyncDisposable {
  /** A target's configuration. */
  readonly raw: Record<string, unknown>;
  /** A call that runs until it is cancelled, and the target's configuration for it. */
  readonly slow: {
    readonly raw: Record<string, unknown>;
    readonly method: MethodName;
    readonly rows: number;
    /** Makes an insert of the first row wait; returns what releases it. Absent: the call is slow by itself. */
    hold?(name: string): Promise<() => Promise<void>>;
  };
  /**
   * Creates a table of the user's own, with one row, where Dyno would put its own. Null where there is no such thing.
   */
  readonly foreign: {
    /**
     * Locks a table, so that its readers wait, and returns the function that unlocks it. Absent: readers never wait.
     */
    lock?(name: string): Promise<() => Promise<void>>;
    create(name: string): Promise<void>;
    /**
     * Makes an empty copy of a table, which keeps the comment of the original. Absent: a copy keeps no mark.
     */
    copy?(original: string, name: string): Promise<void>;
    /** Makes something of a user's, a view or a foreign key, without which the table cannot be dropped. */
    hold?(table: string, holder: string): Promise<void>;
    /** Drops it. */
    release?(holder: string): Promise<void>;
    count(name: string): Promise<number>;
    drop(name: string): Promise<void>;
  } | null;
  /** Promises that an emulator cannot keep: beginning of a test's name → reason. These tests are skipped. */
  readonly excused?: Readonly<Record<string, string>>;
  /** The reason why the server makes a unique index over rows of which two are alike; absent: it refuses to. */
  readonly uncheckedUnique?: string;
  /** The reason why the server gives no plans of statements; absent: it gives them. */
  readonly noPlans?: string;
  /** The reason why the server does not tell how many bytes a table takes; absent: it tells. */
  readonly noStoredBytes?: string;
  /** Custom statements see Dyno's decimals as whole numbers × 10^scale. */
  readonly decimalsAreWhole?: true;
  /**
   * A statement that answers the level of isolation that its session has, in the descriptor's words but for hyphens and
   * capitals. Absent: nothing does.
   */
  readonly saysIsolation?: string;
  /** Levels that this server's product has not, though the engine may. */
  readonly noIsolations?: readonly Isolation[];
  /** Methods that this server's product or version has not, though the engine may: their tests are skipped, visibly. */
  readonly lacks?: readonly MethodName[];
  /** Values of the types that users' own tables have, with what a step after another one could lose of them. */
  readonly values: readonly TypedValue[];
  /** More values of the kind, which a list finds again, and a step does not capture. Absent: none. */
  readonly listed?: readonly ListedValue[];
}

/** A value as the engine's statements write it. */
export interface ListedValue {
  /** The column's type, as CREATE TABLE has it; null: the engine declares none. */
  readonly type: string | null;
  readonly literal: string;
  /** The nearest other value of the type, or one that a careless way confuses with it. Absent: null takes its place. */
  readonly beside?: string;
}

/** A value, and what it is to a step that captures it. */
export interface TypedValue extends ListedValue {
  /** The output of the server's own client. */
  readonly shown: string;
  /** The type with which a step captures the value. */
  readonly as: ListType;
  readonly scale?: number;
}

/**
 * The function that `test-server.fixture.ts` of every engine exports as `startTestServer`, and by name in
 * `otherServers`. `folder`: empty, removed after the tests.
 * @throws DynoError 'unsupported' if no server of the engine can be had here: the suite's tests are skipped, visibly,
 * with its words.
 */
export type StartTestServer = (folder: string) => Promise<TestServer>;
