import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { experimentJsonSchema } from './json-schema.ts';
import { settingNames } from './settings/settings.ts';

describe('the JSON Schema of experiments', () => {
  it('is checked in as generated (renew: npm run --silent dyno -- schema > experiments/dyno.schema.json && npm run format)', () => {
    const file = new URL('../../experiments/dyno.schema.json', import.meta.url);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(experimentJsonSchema());
  });

  it('lets editors complete settings, their values, and factors with their levels', () => {
    const schema = experimentJsonSchema() as {
      properties: Record<string, { properties: Record<string, unknown>; required?: string[] }>;
    };
    expect(Object.keys(schema.properties.workload!.properties)).toEqual([...settingNames, 'options']);
    expect(Object.keys(schema.properties.factors!.properties)).toEqual(settingNames);
    expect(JSON.stringify(schema.properties.factors!.properties.method)).toContain('"serverLoop"');
  });

  it('asks only for what a file must say', () => {
    expect(experimentJsonSchema()).toMatchObject({
      required: ['dyno', 'name', 'question', 'workload', 'targets'],
      additionalProperties: false,
    });
  });
});
