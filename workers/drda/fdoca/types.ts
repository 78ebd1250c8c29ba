/**
 * Environmental descriptors of DRDA types (DRDA Volume 1, "DRDA environmental descriptors"; FD:OCA: DRDA Volume 2). An
 * even number is a type without nulls; the odd number above it is the same type with a null indicator before each
 * value. The even ones are listed.
 */
export const fdoca = {
  integer: 0x02,
  smallint: 0x04,
  tinyint: 0x06,
  double: 0x0a,
  real: 0x0c,
  decimal: 0x0e,
  bigint: 0x16,
  date: 0x20,
  time: 0x22,
  timestamp: 0x24,
  fixedBytes: 0x26,
  varBytes: 0x28,
  longVarBytes: 0x2a,
  char: 0x30,
  varchar: 0x32,
  longVarchar: 0x34,
  mixedChar: 0x3c,
  mixedVarchar: 0x3e,
  mixedLongVarchar: 0x40,
  /** Values of user-defined types, which in Derby are serialised Java objects. */
  udt: 0x50,
  boolean: 0xbe,
  blob: 0xc8,
  clob: 0xca,
  dbclob: 0xcc,
  mixedClob: 0xce,
} as const;
