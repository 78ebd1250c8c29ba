/**
 * EBCDIC, CCSID 500: the encoding of character data in DDM messages until both sides agree on UTF-8 (DDM: CCSIDMGR,
 * UNICODEMGR). A bijection with ISO 8859-1; byte i of the table is the EBCDIC code of U+00i (IBM Character Data
 * Representation Architecture).
 */
const fromLatin1 = Buffer.from(
  [
    '00010203372d2e2f1605250b0c0d0e0f101112133c3d322618193f271c1d1e1f404f7f7b5b6c507d4d5d5c4e6b604b61f0f1f2f3f4f5f6f7f8f97a5e4c7e6e6f',
    '7cc1c2c3c4c5c6c7c8c9d1d2d3d4d5d6d7d8d9e2e3e4e5e6e7e8e94ae05a5f6d79818283848586878889919293949596979899a2a3a4a5a6a7a8a9c0bbd0a107',
    '202122232415061728292a2b2c090a1b30311a333435360838393a3b04143eff41aab0b19fb26ab5bdb49a8abacaafbc908feafabea0b6b39dda9b8bb7b8b9ab',
    '6465626663679e687471727378757677ac69edeeebefecbf80fdfefbfcadae594445424643479c4854515253585556578c49cdcecbcfcce170dddedbdc8d8edf',
  ].join(''),
  'hex',
);

const toLatin1 = Buffer.alloc(256);
for (let code = 0; code < 256; code++) toLatin1[fromLatin1[code]!] = code;

/** The text's bytes in CCSID 500; null if the code page lacks one of its characters. */
export function toEbcdic(text: string): Buffer | null {
  const bytes = Buffer.allocUnsafe(text.length);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 255) return null;
    bytes[at] = fromLatin1[code]!;
  }
  return bytes;
}

export function fromEbcdic(bytes: Uint8Array): string {
  const latin1 = Buffer.allocUnsafe(bytes.length);
  for (let at = 0; at < bytes.length; at++) latin1[at] = toLatin1[bytes[at]!]!;
  return latin1.toString('latin1');
}
