/** The views that have plans. */
export const planViews = ['v$sql_plan_statistics_all', 'v$sql', 'v$session'] as const;

const columns = `p.id, p.parent_id, p.operation, p.options, p.object_name, i.table_name, p.cardinality, p.cost,
       p.access_predicates, p.filter_predicates`;
const indexes = `LEFT JOIN user_indexes i ON i.index_name = p.object_name AND p.operation = 'INDEX'`;

/** The plan of a cursor with what its last execution counted. */
export const cursorPlanSql = `SELECT ${columns}, p.last_starts, p.last_output_rows, p.last_cr_buffer_gets, p.last_execution
  FROM v$sql_plan_statistics_all p ${indexes}
 WHERE p.sql_id = :1 AND p.child_number = :2 ORDER BY p.id`;
/** The plan of a cursor as Oracle prints it. Binds: SQL id, child number, format. */
export const displayCursorSql = 'SELECT plan_table_output FROM TABLE(DBMS_XPLAN.DISPLAY_CURSOR(:1, :2, :3))';
/** The plan in PLAN_TABLE as Oracle prints it. Bind: the statement's id. */
export const displaySql = "SELECT plan_table_output FROM TABLE(DBMS_XPLAN.DISPLAY('PLAN_TABLE', :1, 'TYPICAL'))";
/** The cursor that this session executed before. */
export const previousCursorSql = `SELECT prev_sql_id, prev_child_number FROM v$session WHERE sid = SYS_CONTEXT('USERENV', 'SID')`;
/** The cursor of a text that was used last. */
export const cursorOfTextSql = `SELECT sql_id, child_number FROM v$sql
 WHERE parsing_schema_name = SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA') AND DBMS_LOB.COMPARE(sql_fulltext, :1) = 0
 ORDER BY last_active_time DESC FETCH FIRST 1 ROWS ONLY`;
/** The name of Dyno's plans in PLAN_TABLE. */
export const statementId = 'dyno';
export const explainSql = (text: string): string => `EXPLAIN PLAN SET STATEMENT_ID = '${statementId}' FOR ${text}`;
export const forgetPlanSql = `DELETE FROM plan_table WHERE statement_id = '${statementId}'`;
export const explainedPlanSql = `SELECT ${columns}, NULL AS last_starts, NULL AS last_output_rows, NULL AS last_cr_buffer_gets, NULL AS last_execution
  FROM plan_table p ${indexes} WHERE p.statement_id = '${statementId}' ORDER BY p.id`;
