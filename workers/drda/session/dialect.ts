/** The differences between the servers of this family, as they identify themselves. */
export interface ServerDialect {
  /**
   * PRDID, the version of Derby's client that this client imitates. The servers accept "DNC" alone, and behave by its
   * version.
   */
  readonly productId: string;
  /** A byte after each LOB says whether all of it was sent. */
  readonly lobStatus: boolean;
  /**
   * The length of a CHAR counts characters, where the standard says bytes: its UTF-8 may be longer than it says. Derby
   * has this defect, and its forks have kept it.
   */
  readonly charsCounted: boolean;
}

/** Nine digits of a second, booleans, a status after LOBs, and text of up to 64 KiB. */
const derby1010: ServerDialect = { productId: 'DNC10100', lobStatus: true, charsCounted: false };
/** The forks have none of these. */
const derby104: ServerDialect = { productId: 'DNC10040', lobStatus: false, charsCounted: true };

/** SRVCLSNM and SRVRLSLV of EXCSATRD decide. The forks report "Apache Derby" and 10.4, from which they branched off. */
export function dialectOf(className: string, release: string): ServerDialect {
  if (className !== 'Apache Derby') return { ...derby104, charsCounted: false };
  return derbyRelease(release) >= 1007 ? derby1010 : derby104;
}

/** "CSS10160/10.16.1.1 …" is 1016; 0: the text has another form. */
function derbyRelease(release: string): number {
  const version = /^CSS(\d\d)(\d\d)\d/.exec(release);
  return version ? Number(version[1]) * 100 + Number(version[2]) : 0;
}

/** The dialect before the server has said anything. */
export const ownRelease = `${derby1010.productId}/10.10.0.0`;
