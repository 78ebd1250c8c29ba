import { describe, expect, it } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { connectedClient } from '#engines/postgres/client.fixture.ts';
import { schemaName } from '#engines/postgres/names.ts';
import { smokeOf } from '#platform/whole.fixture.ts';
import { startKind } from '../../test-kind.fixture.ts';
import { postgresByVersion } from './postgres.ts';

describe.for(smokeOf(postgresByVersion.map((kind) => [kind.id, kind] as const)))('%s', ([id, kind]) => {
  it.skipIf(isSkipped(id))('is the version of its name, with the rights of a managed server', async () => {
    await using server = await startKind(kind);
    await using client = await connectedClient(server.raw);
    const { rows } = await client.query('SHOW server_version');
    expect(`postgres@${Number.parseInt(rows[0].server_version, 10)}`).toBe(id);
    await client.query(`CREATE TABLE ${schemaName}.kept AS SELECT word FROM (VALUES ('b'), ('B'), ('ä')) AS w (word)`);
    const sorted = await client.query(`SELECT string_agg(word, ' ' ORDER BY word) AS words FROM ${schemaName}.kept`);
    expect(sorted.rows).toEqual([{ words: 'B b ä' }]);
    await expect(client.query('CREATE TABLE public.foreign_table (a int)')).rejects.toThrow('permission denied');
    await expect(client.query('CREATE SCHEMA another')).rejects.toThrow('permission denied');
    await expect(client.query('ALTER SYSTEM SET work_mem = 1')).rejects.toThrow('permission denied');
    await client.query('CHECKPOINT');
  });
});
