import type { StatisticsValue } from '#engine-api/table-facts.ts';
import type {
  ColumnCondition,
  QueriedColumn,
  QueriedTable,
  RowQuery,
  TableQueries,
} from '#engine-api/table-queries.ts';

type Json = Readonly<Record<string, unknown>>;

/** Commands of find and aggregate. Numbers of BSON are compared whatever their type is. */
export const tableQueries: TableQueries = {
  rows: (query) =>
    JSON.stringify(
      query.joined === undefined
        ? { find: named(query.table), filter: filterOf(query.where) }
        : { aggregate: named(query.table), pipeline: joinedStages(query), cursor: {} },
    ),
  count: (query) =>
    JSON.stringify({
      aggregate: named(query.table),
      pipeline: [
        ...(query.joined === undefined ? [{ $match: filterOf(query.where) }] : joinedStages(query)),
        { $count: 'n' },
      ],
      cursor: {},
    }),
  figures: (table, column) =>
    JSON.stringify({
      aggregate: named(table),
      pipeline: [
        ...groups(column),
        {
          $group: {
            _id: null,
            d: { $sum: 1 },
            t: { $max: '$n' },
            p: { $sum: '$n' },
            ...(column.isText === true && { l: { $sum: { $multiply: ['$n', { $strLenCP: '$_id' }] } } }),
          },
        },
        {
          $project: {
            ...{ _id: 0, d: 1, t: 1, p: 1 },
            m: column.isText === true ? { $divide: ['$l', '$p'] } : { $literal: null },
          },
        },
      ],
      cursor: {},
    }),
  frequent: (table, column) =>
    JSON.stringify({
      aggregate: named(table),
      pipeline: [...groups(column), { $sort: { n: -1, _id: 1 } }, { $project: { _id: 0, v: '$_id', rows: '$n' } }],
      cursor: {},
    }),
};

const named = (table: QueriedTable): string => ('placeholder' in table ? `{${table.placeholder}}` : table.name);

/** The key of a table of Dyno’s is `_id`. */
const fieldOf = ({ name, isKey }: QueriedColumn): string => (isKey === true ? '_id' : name);

const groups = (column: QueriedColumn): readonly Json[] => [
  {
    $match: { [fieldOf(column)]: column.isText === true ? { $type: 'string' } : { $ne: null } },
  },
  { $group: { _id: `$${fieldOf(column)}`, n: { $sum: 1 } } },
];

function filterOf(where: readonly ColumnCondition[], prefix = ''): Json {
  const conditions = where.map(({ column, operator, value, isTime }): Json => {
    const name = `${prefix}${fieldOf(column)}`;
    if (operator === 'isNull' || value === null) return { [name]: null };
    const written = isTime ? timeIn(String(value), column) : writtenIn(value, column);
    return { [name]: operator === 'is' ? written : { [{ atLeast: '$gte', below: '$lt' }[operator]]: written } };
  });
  return conditions.length > 1 ? { $and: conditions } : (conditions[0] ?? {});
}

/** Dyno stores times as microseconds, and decimals as such; a user’s own are dates and any numbers. */
function timeIn(value: string, { type }: QueriedColumn): unknown {
  const ms = Date.parse(/Z$|[+-]\d\d:?\d\d$/.test(value) ? value : `${value.replace(' ', 'T')}Z`);
  return type?.kind === 'timestamp' ? { $numberLong: `${ms * 1_000}` } : { $date: new Date(ms).toISOString() };
}

const writtenIn = (value: StatisticsValue, { type }: QueriedColumn): unknown =>
  type?.kind === 'decimal' && typeof value === 'number' ? { $numberDecimal: String(value) } : value;

function joinedStages({ table: _, where, joined }: RowQuery): readonly Json[] {
  if (joined === undefined) return [];
  const [first, ...others] = joined.on;
  return [
    ...(where.length > 0 ? [{ $match: filterOf(where) }] : []),
    {
      $lookup: {
        from: named(joined.table),
        localField: fieldOf(first!.column),
        foreignField: fieldOf(first!.other),
        as: 'joined',
      },
    },
    { $unwind: '$joined' },
    ...(joined.where.length > 0 ? [{ $match: filterOf(joined.where, 'joined.') }] : []),
    ...(others.length > 0
      ? [
          {
            $match: {
              $expr: {
                $and: others.map(({ column, other }) => ({
                  $eq: [`$${fieldOf(column)}`, `$joined.${fieldOf(other)}`],
                })),
              },
            },
          },
        ]
      : []),
  ];
}
