import { createDecipheriv } from 'node:crypto';

/**
 * Decrypts a .mylogin.cnf, which mysql_config_editor obfuscates with a key in the file: four bytes, twenty bytes of the
 * key, then each line after its length in four bytes. Null if it is another file.
 */
export function readLoginPath(bytes: Buffer): string | null {
  if (bytes.length < 24 || bytes.readUInt32LE(0) !== 0) return null;
  const key = Buffer.alloc(16);
  for (let i = 0; i < 20; i++) key[i % 16]! ^= bytes[4 + i]!;
  let text = '';
  for (let at = 24; at < bytes.length; ) {
    if (at + 4 > bytes.length) return null;
    const length = bytes.readUInt32LE(at);
    const end = at + 4 + length;
    if (length === 0 || length % 16 !== 0 || end > bytes.length) return null;
    try {
      const decipher = createDecipheriv('aes-128-ecb', key, null);
      text += Buffer.concat([decipher.update(bytes.subarray(at + 4, end)), decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
    at = end;
  }
  return text;
}
