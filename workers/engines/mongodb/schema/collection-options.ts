import type { CreateCollectionOptions } from 'mongodb';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { ownMark } from '../../shared/own-tables.ts';
import { readOptions } from '../options.ts';

/** The options for createCollection(). Pure. */
export function collectionOptions(table: TablePlan): CreateCollectionOptions {
  const { collection, compression, leafPageKb } = readOptions(table.options);
  const storage = [
    ...(compression === 'default' ? [] : [`block_compressor=${compression}`]),
    ...(leafPageKb === 'default' ? [] : [`leaf_page_max=${leafPageKb}KB`]),
  ];
  return {
    // The mark is a rule that every document follows. With the level `off` the server does not even check it.
    validator: { $comment: ownMark(table.name) },
    validationLevel: 'off',
    ...(storage.length > 0 && { storageEngine: { wiredTiger: { configString: storage.join(',') } } }),
    ...(collection === 'clustered' && { clusteredIndex: { key: { _id: 1 }, unique: true, name: '_id' } }),
  };
}
