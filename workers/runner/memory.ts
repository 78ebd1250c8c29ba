/** Bytes that will all be written: large ones are not zero-filled first, none is a piece of Node's shared pool. */
export const allocate = (bytes: number): Uint8Array =>
  bytes < 4_096 ? new Uint8Array(bytes) : new Uint8Array(Buffer.allocUnsafeSlow(bytes).buffer);

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
