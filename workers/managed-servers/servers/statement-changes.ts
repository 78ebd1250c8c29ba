/** The outcome of a change beyond Dyno's tables that a statement of an experiment tries. */
export interface Outcome {
  /**
   * refused: the server refuses the statement. reset: each start of the server puts it back, and says so. gone: it does
   * not outlive the server, or its session.
   */
  readonly is: 'refused' | 'reset' | 'gone';
  /** The change, as docs/servers.md names it. */
  readonly by: string;
}

const refused = (by: string): Outcome => ({ is: 'refused', by });
const reset = (by: string): Outcome => ({ is: 'reset', by });
const gone = (by: string): Outcome => ({ is: 'gone', by });

const noSuperuser = refused('the user is no superuser, and only a member of the roles pg_monitor and pg_checkpoint');
const noGrant = refused('the user does not have this privilege');

/**
 * Every kind of change beyond Dyno's tables that a statement may try on a managed server, by the server's id and in
 * words. The password is the last, because nobody can log in once it is changed. Each kind is tried on the real server
 * (statement-changes.test.ts), which is then started again.
 */
export const statementChanges = {
  'embedded-postgres': {
    'settings of the user, also for one database alone': reset(
      'Dyno runs ALTER … RESET ALL for every role and database',
    ),
    'default privileges': reset('Dyno deletes them'),
    'functions, operators and conversions, which the search path would find': reset('Dyno drops them; tables stay'),
    'settings of the database, the server and other roles': noSuperuser,
    'other roles, databases, schemas and tablespaces': refused(
      'the user owns the schema dyno, and may not make another schema',
    ),
    'extensions, languages, publications, subscriptions, replication slots, event triggers': refused(
      'the user may create none of these in the database',
    ),
    'large objects': refused('no user may execute the functions that make them'),
    'prepared transactions': refused('the server has none (max_prepared_transactions = 0)'),
    'the catalog': noSuperuser,
    'files, programs and libraries': noSuperuser,
    'the password': reset('Dyno sets a new password at each start'),
  },
  'local-mariadb': {
    'the character set of the database': reset('Dyno runs ALTER DATABASE'),
    'transactions that are prepared (XA) and left': reset('Dyno rolls them back'),
    'settings of the server, plugins, replication': noGrant,
    'other users, roles and databases': noGrant,
    'views and triggers': reset('Dyno drops them'),
    events: noGrant,
    'files, programs and libraries': noGrant,
    'the password': reset('Dyno creates the user anew at each start'),
  },
  'local-mongodb': {
    'users and roles': refused('the role readWrite of one database does not allow these actions'),
    'settings of the server, its default read and write concerns, profiling': refused(
      'the role of the user does not allow these actions',
    ),
    'other databases': refused('the user may write in one database only'),
    'locks of the whole server': refused('fsync is only allowed in the database admin, and no statement runs there'),
    JavaScript: refused('mongod runs with --noscripting'),
  },
  'local-ravendb': {
    'settings of databases and of the server, tasks, subscriptions, certificates': refused(
      'Dyno sends only queries, loads, batches of documents and indexes, and no other request',
    ),
    'code of .NET': refused('an index may only call the functions of a list, which read rows, texts and numbers'),
    'analyzers by the names of .NET’s types': refused('an index may only name Lucene’s own analyzers'),
  },
  'local-derby': {
    'properties of the database, users, roles and schemas': refused('the user may not execute these procedures'),
    'files: export, import, backup, jars': refused('the user may not execute these procedures'),
    'routines, types, aggregates and table functions of Java': refused(
      'a class of Dyno in the server lets statements name only Derby’s own classes and java.lang.Math',
    ),
  },
  'local-snappydata': {
    'properties of the server, users and schemas': refused('the user may not execute these procedures'),
    'files: export, import, backup, jars, disk stores': refused(
      'the user may not execute these procedures; a class of Dyno in the server refuses stores',
    ),
    'routines, types and synonyms, of Java or not': refused('a class of Dyno in the server refuses them after parsing'),
    'listeners, loaders and writers of any class, links to other servers': refused(
      'the same class refuses them, or the user may not execute the procedures',
    ),
    'whatever else': gone('Dyno deletes the data of the server before each start'),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Outcome>>>>;
