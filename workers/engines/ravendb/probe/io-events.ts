import type { ServerEvent } from '#engine-api/probe.ts';

/** /databases/{database}/debug/io-metrics. Times are UTC with seven decimals: they can be compared as text. */
interface IoMetrics {
  readonly Environments: readonly {
    readonly Path: string;
    /** The kind of environment: Documents, Configuration or Index. */
    readonly Type: string;
    readonly Files: readonly {
      readonly File: string;
      readonly Recent: readonly Piece[];
      readonly History?: readonly Summary[];
    }[];
  }[];
}
interface Piece {
  readonly Start: string;
  readonly Size?: number;
  /** The size of a compression, which has no Size; its summaries have Size. */
  readonly OriginalSize?: number;
  /** The duration in ms. */
  readonly Duration: number;
  readonly Type: string;
}
/** The summary of pieces of work that the server no longer lists one by one. */
interface Summary {
  readonly Start: string;
  readonly End: string;
  readonly Size: number;
  /** The duration of all pieces together, in ms. */
  readonly ActiveDuration: number;
  readonly MaxDuration: number;
  readonly Type: string;
}

/**
 * The pieces of one kind that the server keeps for a file. When there is one more, it makes a summary of all and begins
 * anew, without the number of pieces (src/Sparrow/Meters/IoMeterBuffer.cs, IoMetrics.cs).
 */
const kept = 256;

const kinds: Readonly<Record<string, string>> = {
  JournalWrite: 'journal_write',
  Compression: 'journal_compression',
  DataFlush: 'data_flush',
  DataSync: 'data_sync',
};

/** The pieces of one kind of work in one file, which follow one another. */
interface Seen {
  /** The beginning of the latest piece that was read or summed up. */
  latest: string;
  /** The newest pieces, which a later summary may contain. */
  pieces: readonly Piece[];
}

/** Reads the answers one after the other. Each piece of work is returned once, by itself or in a sum. */
export function createIoEvents(): (answer: unknown, serverNowMs: number) => readonly ServerEvent[] {
  let places = new Map<string, Seen>();
  return (answer, serverNowMs) => {
    // Journals are created and deleted.
    const before = places;
    places = new Map();
    return (answer as IoMetrics).Environments.flatMap(({ Path: path, Type: of, Files: files }) =>
      files.flatMap(({ File: file, Recent: recent, History: history = [] }) =>
        Object.entries(kinds).flatMap(([type, name]) => {
          const kind = of === 'Index' ? `index_${name}` : name;
          const place = `${type} ${path} ${file}`;
          const seen = before.get(place) ?? { latest: '', pieces: [] };
          places.set(place, seen);
          const mine = <P extends Piece | Summary>(all: readonly P[]) =>
            inOrder(all.filter((one) => one.Type === type));
          const ago = (start: string) => serverNowMs - Date.parse(start);
          const sums = mine(history).flatMap((one) => sumOf(one, kind, seen, ago));
          const pieces = mine(recent).filter(({ Start: start }) => start > seen.latest);
          seen.latest = pieces.at(-1)?.Start ?? seen.latest;
          seen.pieces = [...seen.pieces, ...pieces].slice(-kept);
          return [
            ...sums,
            ...pieces.map((one) => ({ kind, agoMs: ago(one.Start), durationMs: one.Duration, bytes: sizeOf(one) })),
          ];
        }),
      ),
    );
  };
}

const sizeOf = ({ Size: size, OriginalSize: original }: Piece): number | null => size ?? original ?? null;

const inOrder = <P extends { readonly Start: string }>(pieces: readonly P[]): readonly P[] =>
  pieces.toSorted((a, b) => (a.Start < b.Start ? -1 : 1));

/** A summary without the pieces that were already returned; nothing if these were all. */
function sumOf(summary: Summary, kind: string, seen: Seen, ago: (start: string) => number): readonly ServerEvent[] {
  const { Start: start, End: end } = summary;
  if (end <= seen.latest) return [];
  const before = seen.pieces.filter((one) => one.Start >= start);
  const count = kept + 1 - before.length;
  const from = start > seen.latest ? start : seen.latest;
  seen.latest = end;
  if (count <= 0) return [];
  const rest = (whole: number, of: (piece: Piece) => number) =>
    Math.max(
      0,
      before.reduce((left, piece) => left - of(piece), whole),
    );
  return [
    {
      kind,
      agoMs: ago(from),
      durationMs: summary.MaxDuration,
      bytes: rest(summary.Size, (piece) => sizeOf(piece) ?? 0),
      sum: {
        count,
        totalMs: rest(summary.ActiveDuration, (piece) => piece.Duration),
        spanMs: Date.parse(end) - Date.parse(from),
      },
    },
  ];
}
