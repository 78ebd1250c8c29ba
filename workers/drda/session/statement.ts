import { sharedWriter } from '../bytes/byte-writer.ts';
import { codePoints } from '../ddm/code-points.ts';
import { chained, chainedSame } from '../dss/write-frames.ts';
import { DrdaError } from '../errors.ts';
import type { Value } from '../fdoca/parameters.ts';
import type { Row } from '../fdoca/rows.ts';
import type { Column } from '../sql/columns.ts';
import { CallReply } from './call.ts';
import { type Cursor, QueryCursor, type Session } from './cursor.ts';
import { type Chain, encodeChains, type NullTypes } from './encode-rows.ts';
import { appendRow, EncodedRows, executeChain } from './encoded-rows.ts';
import { Query } from './query.ts';
import { QueryReply } from './query-reply.ts';
import { ChangesReply, type Prepared, PrepareReply } from './replies.ts';
import { type BlockSize, endUnitOfWork, executeStatement, openQuery, prepare } from './requests.ts';

export interface Statement {
  readonly parameters: readonly Column[];
  readonly columns: readonly Column[];
  /**
   * Encodes rows. `nullTypes`: the types with which the nulls of each parameter are described, if not the parameter's
   * own. Nothing of `rows` is kept. Throws DrdaError of kind 'value', with row and column, for a value that does not
   * fit.
   */
  encode(rows: readonly (readonly Value[])[], nullTypes?: NullTypes): EncodedRows;
  /**
   * Executes the statement for each row, as one chain of EXCSQLSTT and SQLDTA in one write, the commit in it. Resolves
   * with the sum of the changed rows. If a row fails, the promise rejects with the first such error and its `row`; the
   * server has then gone on with the rows after it, and with the commit. Leave `commit` out if that must not happen.
   */
  execute(rows?: EncodedRows | null, options?: { readonly commit?: boolean }): Promise<number>;
  /** Executes a CALL with one row of parameters; resolves with all parameters, null for those that are input only. */
  call(row: EncodedRows): Promise<Row>;
  /**
   * Opens the query with one row of parameters, or none. `blockBytes` (512 to 10,485,760) limits a block of rows;
   * `blockRows` does so for servers that support it (Derby fills blocks by bytes). `commit` goes in the same chain, for
   * a result that fits into the first block: a larger one is rejected with kind 'value', because forks of Derby close
   * open queries at a commit. A separate commit() would wait for Derby, whose sockets hold a second small reply back
   * (Nagle's algorithm).
   */
  open(row?: EncodedRows | null, options?: OpenOptions): Promise<Cursor>;
  /**
   * Has the server prepare the text anew in the same section, as a client does that keeps no statements. Encoded rows
   * stay valid. An open cursor is closed. Rejects with kind 'value' if the parameters have other types by now.
   */
  prepareAgain(): Promise<void>;
  /** Frees the statement's section. An open cursor of it is closed. */
  close(): Promise<void>;
}

/** PRPSQLSTT and DSCSQLSTT put a statement into a section, in place of the previous one. */
export function prepareSection({ transport, packaged }: Session, section: number, sql: string): Promise<Prepared> {
  const to = sharedWriter();
  prepare(to, packaged, section, sql);
  return new Promise((resolve, reject) => {
    transport.send(to.copy(), new PrepareReply(transport.limits, { resolve, reject }));
  });
}

export interface OpenOptions {
  readonly blockBytes?: number;
  readonly blockRows?: number;
  readonly commit?: boolean;
}

const defaultBlockBytes = 32_767;
const blockBytesAtLeast = 512;
const blockBytesAtMost = 10 * 1024 * 1024;
const blockRowsAtMost = 32_767;

export class PreparedStatement implements Statement {
  readonly parameters: readonly Column[];
  readonly columns: readonly Column[];
  readonly #session: Session;
  readonly #section: number;
  readonly #sql: string;
  #isClosed = false;
  #cursor: QueryCursor | null = null;

  constructor(session: Session, section: number, sql: string, { parameters, columns }: Prepared) {
    this.#session = session;
    this.#section = section;
    this.#sql = sql;
    this.parameters = parameters;
    this.columns = columns;
  }

  encode(rows: readonly (readonly Value[])[], nullTypes: NullTypes = []): EncodedRows {
    const { packaged, dialect } = this.#session;
    const target = { packaged, dialect, section: this.#section, parameters: this.parameters, nullTypes };
    return new EncodedRows(this, encodeChains(target, rows));
  }

  async execute(
    rows: EncodedRows | null = null,
    { commit = false }: { readonly commit?: boolean } = {},
  ): Promise<number> {
    this.#mustBeOpen();
    if (this.columns.length > 0) throw new DrdaError('value', 'The statement has rows as its result: open it.');
    if (rows === null) return this.#executeAlone(commit);
    const chains = rows.chainsFor(this);
    const { transport } = this.#session;
    if (chains.length === 1) return executeChain(transport, chains[0]!, commit);
    const counts = await settled(
      chains.map((chain, n) => executeChain(transport, chain, commit && n === chains.length - 1)),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  #executeAlone(commit: boolean): Promise<number> {
    if (this.parameters.length > 0) throw new DrdaError('value', 'The statement has parameters: give encoded rows.');
    const to = sharedWriter();
    const { transport, packaged } = this.#session;
    executeStatement(to, packaged, this.#section, 1, commit ? chained : 0);
    if (commit) endUnitOfWork(to, codePoints.RDBCMM, 2);
    return new Promise((resolve, reject) => {
      transport.send(to.copy(), new ChangesReply(commit ? 2 : 1, null, transport.limits, { resolve, reject }));
    });
  }

  async call(row: EncodedRows): Promise<Row> {
    this.#mustBeOpen();
    const data = this.#oneRow(row);
    const { transport, packaged, dialect } = this.#session;
    const to = sharedWriter();
    executeStatement(to, packaged, this.#section, 1, data === null ? 0 : chainedSame, true);
    if (data !== null) appendRow(to, data);
    return new Promise((resolve, reject) => {
      transport.send(to.copy(), new CallReply(transport.limits, dialect, { resolve, reject }));
    });
  }

  async open(
    row: EncodedRows | null = null,
    { blockBytes = defaultBlockBytes, blockRows, commit = false }: OpenOptions = {},
  ): Promise<Cursor> {
    this.#mustBeOpen();
    if (this.columns.length === 0) throw new DrdaError('value', 'The statement has no rows as its result: execute it.');
    if (this.#cursor?.isOpen) throw new DrdaError('value', 'The statement’s cursor is still open.');
    const data = this.#oneRow(row);
    const block: BlockSize = {
      bytes: Math.min(blockBytesAtMost, Math.max(blockBytesAtLeast, Math.floor(blockBytes))),
      rows: blockRows === undefined ? null : Math.min(blockRowsAtMost, Math.max(1, Math.floor(blockRows))),
    };
    const { transport, packaged, dialect } = this.#session;
    const to = sharedWriter();
    const last = commit ? chained : 0;
    openQuery(to, packaged, this.#section, block, data === null ? last : chainedSame);
    if (data !== null) appendRow(to, data, last);
    if (commit) endUnitOfWork(to, codePoints.RDBCMM, 2);
    const query = new Query(transport.limits, dialect);
    const cursor = new QueryCursor(this.#session, this.#section, query, block);
    this.#cursor = cursor;
    try {
      await new Promise<void>((resolve, reject) => {
        transport.send(to.copy(), new QueryReply(query, true, { resolve, reject }, commit ? 2 : 1));
      });
    } catch (thrown) {
      // The caller has no cursor yet that it could close.
      await cursor.close().catch(() => {});
      throw thrown;
    }
    if (commit && cursor.isOpen) {
      await cursor.close();
      throw new DrdaError('value', 'The result does not fit into one block: commit after the last of its rows.');
    }
    return cursor;
  }

  #oneRow(row: EncodedRows | null): Chain | null {
    if (row === null) {
      if (this.parameters.length > 0) throw new DrdaError('value', 'The query has parameters: give an encoded row.');
      return null;
    }
    if (row.rows !== 1) throw new DrdaError('value', `One row of parameters is taken, not ${row.rows}.`);
    return row.chainsFor(this)[0]!;
  }

  async prepareAgain(): Promise<void> {
    this.#mustBeOpen();
    if (this.#cursor?.isOpen) await this.#cursor.close();
    const { parameters } = await prepareSection(this.#session, this.#section, this.#sql);
    if (!areAlike(parameters, this.parameters))
      throw new DrdaError(
        'value',
        'The statement’s parameters are of other types than before: prepare it as a new one.',
      );
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#cursor?.isOpen) await this.#cursor.close();
    this.#session.freeSection(this.#section);
  }

  #mustBeOpen(): void {
    if (this.#isClosed) throw new DrdaError('closed', 'The statement is closed.');
  }
}

/** True if the rows encoded for one statement are rows for the other. */
const areAlike = (one: readonly Column[], other: readonly Column[]): boolean =>
  one.length === other.length &&
  one.every(({ sqlType, type, precision, scale, length }, c) => {
    const column = other[c]!;
    return (
      sqlType === column.sqlType &&
      type === column.type &&
      precision === column.precision &&
      scale === column.scale &&
      length === column.length
    );
  });

/** Waits for all of them, then throws the first error: the next call must not overtake calls in flight. */
async function settled(counts: readonly Promise<number>[]): Promise<readonly number[]> {
  const results = await Promise.allSettled(counts);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return results.map((result) => (result.status === 'fulfilled' ? result.value : 0));
}
