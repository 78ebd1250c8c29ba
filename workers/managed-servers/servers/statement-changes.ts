/** The outcome of a change that a statement of an experiment tries beyond Dyno's tables. */
export interface Outcome {
  /**
   * refused: the server refuses the statement. reset: each start of the server puts it back, and says so. gone: it does
   * not outlive the server, or its session.
   */
  readonly is: 'refused' | 'reset' | 'gone';
  /** The means, as docs/servers.md names it. */
  readonly by: string;
}

const refused = (by: string): Outcome => ({ is: 'refused', by });
const reset = (by: string): Outcome => ({ is: 'reset', by });
const gone = (by: string): Outcome => ({ is: 'gone', by });

const noSuperuser = refused('the user is no superuser, and a member of no role but pg_monitor and pg_checkpoint');
const noGrant = refused('the user has no such right');

/**
 * Every kind of change beyond Dyno's tables that a statement may try on a managed server, by the server's id and in
 * words. The password is the last, because nobody can log in once it is changed. Each kind is tried on the real server
 * (statement-changes.test.ts), which is then started again.
 */
export const statementChanges = {
  'embedded-postgres': {
    'settings of the user, also for one database alone': reset('ALTER … RESET ALL for every role and database'),
    'default privileges': reset('they are deleted'),
    'functions, operators and conversions, which the search path would find': reset('they are dropped; tables stay'),
    'settings of the database, the server and other roles': noSuperuser,
    'other roles, databases, schemas and tablespaces': refused(
      'the user owns the schema dyno, and may not make another',
    ),
    'extensions, languages, publications, subscriptions, replication slots, event triggers': refused(
      'the user may create nothing in the database itself',
    ),
    'large objects': refused('nobody may execute the functions that make them'),
    'prepared transactions': refused('the server has none (max_prepared_transactions = 0)'),
    'the catalog': noSuperuser,
    'files, programs and libraries': noSuperuser,
    'the password': reset('a new one at each start'),
  },
  'local-mariadb': {
    'the character set of the database': reset('ALTER DATABASE'),
    'transactions that are prepared (XA) and left': reset('they are rolled back'),
    'settings of the server, plugins, replication': noGrant,
    'other users, roles and databases': noGrant,
    'events, triggers and views': noGrant,
    'files, programs and libraries': noGrant,
    'the password': reset('the user is made anew at each start'),
  },
  'local-mongodb': {
    'users and roles': refused('the role readWrite of one database has no such action'),
    'settings of the server, its default read and write concerns, profiling': refused('the user has no such action'),
    'other databases': refused('the user may write in one database alone'),
    'locks of the whole server': refused('fsync is allowed in the database admin alone, where no statement runs'),
    JavaScript: refused('mongod --noscripting'),
  },
  'local-ravendb': {
    'settings of databases and of the server, tasks, subscriptions, certificates': refused(
      'Dyno sends what is a query, a load, a batch of documents or an index, and no other request',
    ),
    'code of .NET': refused('an index may ask questions of documents, by a list of what may be called'),
    'analyzers by the names of .NET’s types': refused('an index names Lucene’s own analyzers alone'),
  },
  'local-derby': {
    'properties of the database, users, roles and schemas': refused('the user may not execute these procedures'),
    'files: export, import, backup, jars': refused('the user may not execute these procedures'),
    'routines, types, aggregates and table functions of Java': refused(
      'a class of Dyno in the server lets statements name Derby’s own classes and java.lang.Math alone',
    ),
  },
  'local-snappydata': {
    'properties of the server, users and schemas': refused('the user may not execute these procedures'),
    'files: export, import, backup, jars, disk stores': refused(
      'the user may not execute these procedures; a class of Dyno in the server refuses stores',
    ),
    'routines, types and synonyms, of Java or not': refused('a class of Dyno in the server refuses them once parsed'),
    'listeners, loaders and writers of any class, links to other servers': refused(
      'the same class, and procedures that the user may not execute',
    ),
    'whatever else': gone('the server keeps everything in memory, and is empty after each start'),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Outcome>>>>;
