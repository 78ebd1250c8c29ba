/**
 * The order in which an engine compares the bytes of a uuid. bytes: from the first to the last, the order in which RFC
 * 9562 stores the time of version 7. lastSixBytesFirst: 10 to 15, then 8 and 9, then 7 down to 0, so that the random
 * bytes of version 7 decide.
 */
export const uuidOrders = ['bytes', 'lastSixBytesFirst'] as const;
/** The order in which an engine compares the bytes of a uuid. */
export type UuidOrder = (typeof uuidOrders)[number];

/** The kind of uuid that is sequential in each order. */
export const sequentialUuid: Readonly<Record<UuidOrder, string>> = {
  bytes: 'a uuid of version 7: the time in its first six bytes',
  lastSixBytesFirst: 'a uuid of version 8: the time in its last six bytes, a counter in the two before',
};
