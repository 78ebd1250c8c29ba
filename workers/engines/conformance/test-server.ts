import type { IndexFeature, IndexKind, IndexPart, IndexPlan } from '#model/dataset/indexes.ts';
import type { Isolation, MethodName } from '#model/settings/vocabulary.ts';
import type { ListType } from '#model/statements/statements.ts';

/** A real server of an engine, with the actions that the conformance suite needs beside Dyno. */
export interface TestServer extends AsyncDisposable {
  /** A target's configuration. */
  readonly raw: Record<string, unknown>;
  /** A call that runs until it is cancelled, and the target's configuration for it. */
  readonly slow: {
    readonly raw: Record<string, unknown>;
    readonly method: MethodName;
    readonly rows: number;
    /**
     * Makes an insert of the first row wait; returns the function that lets it go on. Absent: the call is slow by
     * itself.
     */
    hold?(name: string): Promise<() => Promise<void>>;
  };
  /**
   * Creates a table of the user's own, with one row, under a name that Dyno would use. Null: the engine has no such
   * tables.
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
    /** Creates a view or a foreign key of a user's, without which the table cannot be dropped. */
    hold?(table: string, holder: string): Promise<void>;
    /** Drops that view or foreign key. */
    release?(holder: string): Promise<void>;
    count(name: string): Promise<number>;
    drop(name: string): Promise<void>;
  } | null;
  /**
   * The promises that an emulator cannot keep: the beginning of a test's name, and the reason. These tests are skipped.
   */
  readonly excused?: Readonly<Record<string, string>>;
  /** The reason why the server makes a unique index over two equal rows. Absent: it refuses to. */
  readonly uncheckedUnique?: string;
  /**
   * A setting that a session can make: its name, a value that is not the server's, and that value as the server reports
   * it. Absent: the test of a setting is skipped.
   */
  readonly sessionSetting?: readonly [name: string, value: string, reported: string];
  /** The reason why the server gives no plans of statements; absent: it gives them. */
  readonly noPlans?: string;
  /** The reason why the server does not tell how many bytes a table takes; absent: it tells. */
  readonly noStoredBytes?: string;
  /** Reads the server's catalog of indexes. Absent: the tests of options of indexes are skipped. */
  readonly indexes?: {
    /** The definition of each index of a table of Dyno's by its name in IndexPlan, without the key's. {}: no table. */
    list(table: string): Promise<Readonly<Record<string, string>>>;
    /**
     * For each option that the engine has: the change of an index that uses it, and its sign in the definition, which a
     * definition without the option lacks.
     */
    readonly samples: {
      readonly [F in IndexFeature]?: {
        change(part: IndexPart, kind: IndexKind): Partial<IndexPlan>;
        /** Absent: the catalog shows only that the index is there. */
        readonly shown?: RegExp;
      };
    };
  };
  /** Custom statements see Dyno's decimals as whole numbers × 10^scale. */
  readonly decimalsAreWhole?: true;
  /**
   * A statement that returns the isolation level of its session, in the descriptor's words but for hyphens and
   * capitals. Absent: there is no such statement.
   */
  readonly saysIsolation?: string;
  /** Levels that this server's product lacks, though the engine has them. */
  readonly noIsolations?: readonly Isolation[];
  /**
   * Methods that this server's product or version lacks, though the engine has them: their tests are skipped, visibly.
   */
  readonly lacks?: readonly MethodName[];
  /** Values of the types that users' own tables have, with digits that a later step could lose. */
  readonly values: readonly TypedValue[];
  /** More values of the same kinds, which a list finds again and no step captures. Absent: none. */
  readonly listed?: readonly ListedValue[];
}

/** A value as the engine's statements write it. */
export interface ListedValue {
  /** The column's type, as CREATE TABLE has it; null: the engine declares none. */
  readonly type: string | null;
  readonly literal: string;
  /**
   * The nearest other value of the type, or a value that a careless comparison takes for it. Absent: null takes its
   * place.
   */
  readonly beside?: string;
}

/** A value, and the type and text with which a step captures it. */
export interface TypedValue extends ListedValue {
  /** The text that the server's own client shows. */
  readonly shown: string;
  /** The type with which a step captures the value. */
  readonly as: ListType;
  readonly scale?: number;
}

/**
 * The function that `test-server.fixture.ts` of every engine exports as `startTestServer`, and by name in
 * `otherServers`. `folder` is empty, and removed after the tests.
 * @throws DynoError 'unsupported' if there is no server of the engine here: the suite's tests are skipped, and say why.
 */
export type StartTestServer = (folder: string) => Promise<TestServer>;
