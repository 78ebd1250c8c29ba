/**
 * Allocates bytes that the caller writes completely: large blocks are not zero-filled, and none belong to Node's shared
 * pool.
 */
export const allocate = (bytes: number): Uint8Array =>
  bytes < 4_096 ? new Uint8Array(bytes) : new Uint8Array(Buffer.allocUnsafeSlow(bytes).buffer);

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Memory that values are written to one after another. */
interface WriteBuffer {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  used: number;
}

const newBuffer = (bytes: number): WriteBuffer => {
  const all = allocate(bytes);
  return { bytes: all, view: viewOf(all), used: 0 };
};

const sharedBytes = 65_536;
let shared = newBuffer(sharedBytes);

/**
 * Returns memory for this many bytes from `used` on. The caller writes the bytes and adds their number to `used`. Small
 * values share a block, because allocating memory for a key takes longer than making the key.
 */
export function reserveBytes(bytes: number): WriteBuffer {
  if (bytes > sharedBytes / 16) return newBuffer(bytes);
  if (shared.used + bytes > sharedBytes) shared = newBuffer(sharedBytes);
  return shared;
}
