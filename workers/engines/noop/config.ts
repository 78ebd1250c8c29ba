import type { ConfigParser } from '#engine-api/config.ts';
import { readFields } from '#engine-api/config-fields.ts';
import { descriptor } from './descriptor.ts';

interface NoopConfig extends Readonly<Record<string, unknown>> {
  readonly delayMs: number;
}

export const config: ConfigParser = {
  parse(raw): NoopConfig {
    return { delayMs: readFields(descriptor.label, descriptor.config, raw).whole('delayMs', 0) };
  },
  describe: (config) => ({ address: 'in process', details: { delayMs: String(config.delayMs) } }),
  endpoints: () => [],
  grants: () => null,
};
