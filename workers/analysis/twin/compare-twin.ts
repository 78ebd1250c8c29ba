import type { PlanStep, QueryPlan } from '#engine-api/query-plan.ts';
import { distinctHere } from '#experiment/import-tables/column-twin.ts';
import type { PlansByName, TablePlan } from '#model/dataset/dataset.ts';
import type { AskedRowQuery, CountedColumn, TableFigures } from '#protocol/table-figures.ts';
import type { ComparedTable, TwinQuery } from './twin-queries.ts';

/** A figure of the original and of its twin. Null: it is not known. */
export interface ComparedFigure {
  /** The original's figure, at the size of the twin. */
  readonly original: number | null;
  readonly twin: number | null;
  /** The larger of the two over the smaller one, which are at least 1. Null: one of them is not known. */
  readonly off: number | null;
}

/** The figures of a column. */
interface ColumnComparison {
  readonly table: string;
  readonly column: string;
  /** The original's figures were counted, or are those of its statistics. */
  readonly from: 'counted' | 'statistics';
  readonly different: ComparedFigure;
  /** Rows of the most frequent value. */
  readonly most: ComparedFigure;
  readonly nulls: ComparedFigure;
  /** Mean length of texts; null: another type. */
  readonly meanLength: ComparedFigure | null;
}

/** A step of a plan with the names that both sides share: operator, table and columns of the index. */
export interface ShapeStep {
  readonly depth: number;
  readonly operator: string;
  readonly table: string | null;
  /** The columns of the index, or `key`. */
  readonly index: string | null;
}

/** A query on the original and on its twin. */
export interface QueryComparison {
  readonly name: string;
  readonly estimated: ComparedFigure;
  readonly rows: ComparedFigure;
  /** Null: one side has no plan, or the engines differ. */
  readonly sameShape: boolean | null;
  readonly originalPlan: readonly ShapeStep[] | null;
  readonly twinPlan: readonly ShapeStep[] | null;
  /** Reasons, as sentences, why a part is missing. */
  readonly notes: readonly string[];
}

/** The answer to the question how far a twin is off. */
export interface TwinComparison {
  readonly tables: readonly { readonly table: string; readonly rows: ComparedFigure }[];
  readonly columns: readonly ColumnComparison[];
  readonly queries: readonly QueryComparison[];
}

/** A figure is right if it is off by no more than this factor. */
export const mostOff = 2;

/** The factor between two figures of at least 0; smaller ones than 1 count as 1. */
function compared(original: number | null, twin: number | null): ComparedFigure {
  if (original === null || twin === null) return { original, twin, off: null };
  const [a, b] = [Math.max(1, original), Math.max(1, twin)];
  return { original, twin, off: Math.max(a, b) / Math.min(a, b) };
}

/** The parts of a comparison. `columns` of the figures are those of all tables, one after the other. */
interface Compared {
  readonly tables: readonly ComparedTable[];
  readonly queries: readonly TwinQuery[];
  readonly original: TableFigures;
  readonly twin: TableFigures;
  readonly plans: PlansByName;
  /** Rows of the twin for a row of the original. */
  readonly scale: number;
  readonly isSameEngine: boolean;
}

/** Compares the figures of an original and of its twin. Pure. */
export function compareTwin(all: Compared): TwinComparison {
  const { tables, queries, original, twin, scale, isSameEngine } = all;
  let at = 0;
  return {
    tables: tables.map(({ mapped, facts }, t) => ({
      table: mapped.table,
      rows: compared((original.counted[t] ?? facts.rows) * scale, twin.counted[t] ?? null),
    })),
    columns: tables.flatMap((table) =>
      table.columns.map((column): ColumnComparison => {
        const place = at++;
        const rows = original.counted[tables.indexOf(table)] ?? table.facts.rows;
        const theirs = original.columns[place] ?? null;
        const known = theirs ? countedFigures(theirs, rows) : statisticsFigures(column.statistics, rows);
        const own = twin.columns[place] ?? null;
        const twinRows = twin.counted[tables.indexOf(table)] ?? table.mapped.twinRows;
        const counts = own && countedFigures(own, twinRows);
        const { different } = known;
        const times = (figure: number | null) => (figure === null ? null : figure * scale);
        return {
          ...{ table: table.mapped.table, column: column.original.name, from: theirs ? 'counted' : 'statistics' },
          different: compared(
            different === null || scale === 1 ? different : distinctHere(different, { rows, twinRows }),
            counts?.different ?? null,
          ),
          most: compared(times(known.most), counts?.most ?? null),
          nulls: compared(times(known.nulls), counts?.nulls ?? null),
          meanLength: column.original.isText
            ? compared(known.meanLength, own === null || own.present === 0 ? null : own.meanLength)
            : null,
        };
      }),
    ),
    queries: queries.map(({ name, original: asked }, q): QueryComparison => {
      const [theirs, own] = [original.queries[q]!, twin.queries[q]!];
      const originalPlan = theirs.plan && shapeOf(theirs.plan, originalNames(tables, asked));
      const twinPlan = own.plan && shapeOf(own.plan, twinNames(all, queries[q]!.twin));
      const times = (rows: number | null) => (rows === null ? null : rows * scale);
      return {
        name,
        estimated: compared(times(theirs.estimated), own.estimated),
        rows: compared(times(theirs.rows), own.rows),
        sameShape:
          isSameEngine && originalPlan !== null && twinPlan !== null
            ? JSON.stringify(originalPlan) === JSON.stringify(twinPlan)
            : null,
        ...{ originalPlan, twinPlan },
        notes: [
          ...(theirs.why === null ? [] : [`Original: ${theirs.why}`]),
          ...(own.why === null ? [] : [`Twin: ${own.why}`]),
        ],
      };
    }),
  };
}

interface ColumnFigures {
  readonly different: number | null;
  readonly most: number | null;
  readonly nulls: number | null;
  readonly meanLength: number | null;
}

const countedFigures = ({ different, most, present, meanLength }: CountedColumn, rows: number): ColumnFigures => ({
  ...{ different, most, meanLength },
  nulls: Math.max(0, rows - present),
});

function statisticsFigures(statistics: ComparedTable['columns'][number]['statistics'], rows: number): ColumnFigures {
  const [first] = statistics?.common ?? [];
  const nullShare = statistics?.nullShare ?? null;
  return {
    different: statistics?.distinct ?? null,
    most: first === undefined ? null : first.share * rows,
    nulls: nullShare === null ? null : nullShare * rows,
    meanLength: statistics?.meanBytes ?? null,
  };
}

/** The names that both sides share. */
interface Names {
  /** A table of a plan; null: another one. */
  table(name: string): ComparedTable | null;
  /** The columns of an index of it, by its name at the server. */
  index(name: string, table: ComparedTable | null): string;
}

/** Some servers name the aliases of tables in their plans: `a`, and `b` for the joined one. */
function aliased(tables: readonly ComparedTable[], { table, joined }: AskedRowQuery, name: string) {
  const of = { a: table, b: joined?.table }[name];
  return of === undefined
    ? null
    : (tables.find(({ mapped, facts }) =>
        'placeholder' in of ? mapped.name === of.placeholder : facts.name === of.name && facts.schema === of.schema,
      ) ?? null);
}

const keyWord = 'key';

const originalNames = (tables: readonly ComparedTable[], query: AskedRowQuery): Names => ({
  table: (name) => tables.find(({ facts }) => facts.name === name) ?? aliased(tables, query, name),
  index(name, table) {
    const of = table ?? tables.find(({ facts }) => facts.indexes.some((index) => index.name === name));
    const parts = of?.facts.indexes.find((index) => index.name === name)?.parts;
    // The index of a primary key of several columns is an index of the twin.
    const columns =
      parts?.map((part) => ('column' in part ? part.column : null)) ??
      (of !== undefined && of.facts.key.length > 1 ? of.facts.key : null);
    if (!of || !columns) return keyWord;
    return columns
      .map((column) => of.columns.find(({ original }) => original.name === column)?.twin.name ?? '?')
      .join(', ');
  },
});

function twinNames({ tables, plans }: Compared, query: AskedRowQuery): Names {
  const planOf = ({ mapped }: ComparedTable): TablePlan | undefined => plans[mapped.name];
  return {
    table: (name) =>
      tables.find((one) => planOf(one)?.name.toLowerCase() === name.toLowerCase()) ?? aliased(tables, query, name),
    index(name, table) {
      const all = (table ? [table] : tables).flatMap((one) => planOf(one) ?? []);
      for (const { indexes = [], columns } of all) {
        const found = indexes.find((index) => index.name.toLowerCase() === name.toLowerCase());
        if (found) return found.parts.map((part) => ('column' in part ? columns[part.column]!.name : '?')).join(', ');
      }
      return keyWord;
    },
  };
}

/** The steps of a plan with shared names. An index below a bitmap belongs to the table of the step above it. */
function shapeOf({ steps }: QueryPlan, names: Names): readonly ShapeStep[] {
  let above: ComparedTable | null = null;
  return steps.map(({ depth, operator, table, index }: PlanStep): ShapeStep => {
    const known: ComparedTable | null = table === null ? null : names.table(table);
    if (table !== null) above = known;
    return {
      ...{ depth, operator: operatorWord(operator, table, index), table: known?.mapped.name ?? table },
      index: index === null ? null : names.index(index, known ?? above),
    };
  });
}

/** The operator without the names of its table and index, which some servers write into it. */
const operatorWord = (operator: string, table: string | null, index: string | null): string =>
  operator
    .split(/(\s+)/)
    .map((word) => (word === table || word === index ? '…' : word))
    .join('');
