/** The differences between servers of this family, by their own statements. */
export interface ServerDialect {
  /**
   * PRDID, the version of Derby's client that this one is like: the servers take none but "DNC", and go by its version.
   */
  readonly productId: string;
  /** LOBs are followed by a byte that says whether all of it was sent. */
  readonly lobStatus: boolean;
  /**
   * The length of a CHAR counts characters, not bytes, as the standard has it: then its bytes in UTF-8 may be more than
   * it says. A fault of Derby's that its forks have kept.
   */
  readonly charsCounted: boolean;
}

/** Nine digits of a second, booleans, a status after LOBs, text up to 64 KiB. */
const derby1010: ServerDialect = { productId: 'DNC10100', lobStatus: true, charsCounted: false };
/** The forks know none of these. */
const derby104: ServerDialect = { productId: 'DNC10040', lobStatus: false, charsCounted: true };

/** SRVCLSNM and SRVRLSLV of EXCSATRD decide. The forks say "Apache Derby" and 10.4, which they branched off from. */
export function dialectOf(className: string, release: string): ServerDialect {
  if (className !== 'Apache Derby') return { ...derby104, charsCounted: false };
  return derbyRelease(release) >= 1007 ? derby1010 : derby104;
}

/** "CSS10160/10.16.1.1 …" is 1016; 0 for what is not of that form. */
function derbyRelease(release: string): number {
  const version = /^CSS(\d\d)(\d\d)\d/.exec(release);
  return version ? Number(version[1]) * 100 + Number(version[2]) : 0;
}

/** Before the server has said anything. */
export const ownRelease = `${derby1010.productId}/10.10.0.0`;
