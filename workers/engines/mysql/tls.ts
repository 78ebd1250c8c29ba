import { readFileSync } from 'node:fs';
import { DynoError } from '#contract/error.ts';
import type { MysqlConfig } from './config.ts';

/** What both drivers hand to Node's tls; null: without TLS. */
export function tlsOptions({ ssl, ca }: MysqlConfig): { rejectUnauthorized: boolean; ca?: string } | null {
  if (ssl === 'disable') return null;
  if (ssl === 'require') return { rejectUnauthorized: false };
  return { rejectUnauthorized: true, ...(ca !== null && { ca: pem(ca) }) };
}

function pem(ca: string): string {
  if (ca.includes('-----BEGIN')) return ca;
  try {
    return readFileSync(ca, 'utf8');
  } catch (error) {
    throw new DynoError('badInput', `ca: reading ${ca}: ${error instanceof Error ? error.message : error}.`, {
      hint: 'ca is PEM text or the path of a PEM file.',
    });
  }
}
