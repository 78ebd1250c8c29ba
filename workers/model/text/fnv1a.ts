/**
 * The FNV-1a hash of 32 bits over the UTF-16 code units of a text, as eight hexadecimal digits
 * (http://www.isthe.com/chongo/tech/comp/fnv/). Another `basis` gives another hash of the same text.
 */
export function fnv1a(text: string, basis = 0x811c9dc5): string {
  let hash = basis;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
