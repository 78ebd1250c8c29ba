import type { Operation, OperationPlan } from '#engine-api/operation.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import { orderColumnOf, rangeColumnOf } from '#model/dataset/named-columns.ts';
import { DynoError } from '#model/error.ts';
import type { Link } from '../connection/link.ts';
import { descriptor } from '../descriptor.ts';
import { readOptions } from '../options.ts';
import { makeIndex, makeOrderIndex, makeRangeIndex } from '../schema/indexes.ts';
import { prepareCommandCall } from './command-calls.ts';
import { queryPlanOf } from './query-plan.ts';
import { rangeQuestions } from './range-questions.ts';
import { prepareScan } from './scans.ts';
import { prepareSessionCall } from './session-calls.ts';
import type { Work } from './work.ts';

export async function prepareOperation(link: Link, plan: OperationPlan): Promise<Operation> {
  const { table, operation, method } = plan;
  supportOf(descriptor, operation, method);
  const work: Work = { link, table, options: readOptions(table.options) };
  if (operation === 'scan') {
    const order = orderColumnOf(table, plan.settings);
    if (order) await makeOrderIndex(link, table, order.index);
    return prepareScan(work, plan);
  }
  if (operation === 'readRange' && work.options.index === 'none')
    throw new DynoError('unsupported', 'A range is read by an index, and there is to be none.', {
      hint: 'ravendb.index: auto or static.',
    });
  const over = operation === 'readRange' ? rangeColumnOf(table, plan.settings) : null;
  if (over) await makeRangeIndex(link, table, over.index);
  // With `afterLoad` the index is made here; otherwise it exists, and is only waited for.
  else if (operation === 'readRange') await makeIndex(link, table);
  const prepared = await (work.options.api === 'command'
    ? prepareCommandCall(work, plan)
    : prepareSessionCall(work, plan));
  if (operation !== 'readRange') return prepared;
  const { most, ask } = rangeQuestions(work, plan);
  return {
    ...prepared,
    queryPlan(batch) {
      const { query, parameters } = ask(batch);
      const asked = { Query: query, QueryParameters: parameters, ...(most !== null && { PageSize: most }) };
      return queryPlanOf(link, JSON.stringify(asked), [table.name]);
    },
  };
}
