/**
 * Which bytes of a uuid an engine compares first. bytes: from the first to the last, in which order RFC 9562 puts the
 * time of version 7. lastSixBytesFirst: 10 to 15, then 8 and 9, then 7 down to 0, so that version 7 is compared by its
 * random bytes.
 */
export const uuidOrders = ['bytes', 'lastSixBytesFirst'] as const;
export type UuidOrder = (typeof uuidOrders)[number];

/** What a sequential uuid is where uuids are ordered so. */
export const sequentialUuid: Readonly<Record<UuidOrder, string>> = {
  bytes: 'a uuid of version 7: the time in its first six bytes',
  lastSixBytesFirst: 'a uuid of version 8: the time in its last six bytes, a counter in the two before',
};
