import recorded from './recorded.json' with { type: 'json' };

/**
 * Replies as servers sent them, in base64: all bytes that came for the call named, in order. The table had a column of
 * every type and three rows: values, nulls, extremes. `derbyReplies` are of Apache Derby 10.16.1.1, `rowStoreReplies`
 * of snappydata-store 1.6.5, where they differ in more than a name.
 *
 * `jdbcRequests`: what Derby's own JDBC client 10.16.1.1 sends: user APP, password APP, database dev; `insertOne` has
 * values of nine types, `insertTwo` two rows of nulls.
 */
export const { derbyReplies, rowStoreReplies, jdbcRequests } = recorded;
