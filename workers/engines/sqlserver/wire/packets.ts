/**
 * Messages as packets ([MS-TDS] 2.2.3), as `tedious` sends them: each packet but the last is full, and they are
 * numbered from 1.
 */

/** The bytes of a packet's header: type, status, length, process, number, window. */
export const headerBytes = 8;
/** A bit of a header's status. */
export const lastPacket = 0x01;

/** ALL_HEADERS with the transaction descriptor (2.2.5.3), which is known only when a request is sent. */
const allHeaders = (() => {
  const bytes = Buffer.alloc(22);
  bytes.writeUInt32LE(22);
  bytes.writeUInt32LE(18, 4);
  bytes.writeUInt16LE(2, 8);
  bytes.writeUInt32LE(1, 18);
  return bytes;
})();
const descriptorAt = 10;
const descriptorBytes = 8;

/** The bytes of a message before its body. */
const bodyAt = headerBytes + allHeaders.length;

/** The headers of a body, with the descriptor of the transaction that is open. */
export function headersOf(descriptor: Uint8Array): Buffer {
  const bytes = Buffer.from(allHeaders);
  bytes.set(descriptor, descriptorAt);
  return bytes;
}

/** The beginning of a message; {@link packetsOf} completes its first header. */
export const messageHead = (type: number, bodyHead: Buffer): Buffer =>
  Buffer.concat([Buffer.from([type, 0, 0, 0, 0, 0, 1, 0]), allHeaders, bodyHead]);

/** The packets of a message that begins with {@link messageHead}. A message of one packet is returned as it is. */
export function packetsOf(message: Buffer, packetBytes: number): Buffer {
  const { length } = message;
  if (length <= packetBytes) {
    message[1] = lastPacket;
    message[2] = length >> 8;
    message[3] = length & 255;
    return message;
  }
  const payloadBytes = packetBytes - headerBytes;
  const count = Math.ceil((length - headerBytes) / payloadBytes);
  const packets = Buffer.allocUnsafe(length + (count - 1) * headerBytes);
  for (let i = 0; i < count; i++) {
    const from = headerBytes + i * payloadBytes;
    const to = Math.min(from + payloadBytes, length);
    const at = i * packetBytes;
    putHeader(packets, at, message[0]!, i === count - 1 ? lastPacket : 0, to - from, i + 1);
    message.copy(packets, at + headerBytes, from, to);
  }
  return packets;
}

/** Writes a packet's header; `payload`: the bytes behind it. */
export function putHeader(to: Buffer, at: number, type: number, status: number, payload: number, number: number): void {
  const length = headerBytes + payload;
  to[at] = type;
  to[at + 1] = status;
  to[at + 2] = length >> 8;
  to[at + 3] = length & 255;
  to[at + 4] = 0;
  to[at + 5] = 0;
  to[at + 6] = number & 255;
  to[at + 7] = 0;
}

/** The body of a message of packets. */
export function bodyOf(packets: Buffer, packetBytes: number): Buffer {
  if (packets.length <= packetBytes) return packets.subarray(bodyAt);
  const parts: Buffer[] = [];
  for (let at = 0; at < packets.length; at += packetBytes)
    parts.push(packets.subarray(at + headerBytes, Math.min(at + packetBytes, packets.length)));
  return Buffer.concat(parts).subarray(allHeaders.length);
}

/** Writes the descriptor of the open transaction into a message that is about to be sent. */
export function putDescriptor(packets: Buffer, descriptor: Uint8Array): void {
  const at = headerBytes + descriptorAt;
  for (let i = 0; i < descriptorBytes; i++) packets[at + i] = descriptor[i]!;
}
