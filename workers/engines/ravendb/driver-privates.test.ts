import { DocumentStore, GetDatabaseNamesOperation, RequestExecutor, ServerNode } from 'ravendb';
import { expect, onTestFinished, vi } from 'vitest';
import { testDriverPrivates, type Untyped } from '../shared/driver-privates.fixture.ts';

const url = 'http://127.0.0.1:1';

function openStore(): DocumentStore {
  const store = new DocumentStore(url, 'd');
  store.initialize();
  onTestFinished(() => store.dispose());
  return store;
}
/** The driver's own executor for one node, which sets both members for itself. */
const executor = (): Untyped =>
  RequestExecutor.createForSingleNodeWithoutConfigurationUpdates(url, 'd', {
    documentConventions: openStore().conventions,
  });
const command = (): Untyped => new GetDatabaseNamesOperation(0, 1).getCommand(openStore().conventions);

testDriverPrivates(import.meta.dirname, 'ravendb', {
  'RequestExecutor._disableClientConfigurationUpdates': () =>
    expect(executor()._disableClientConfigurationUpdates).toBe(true),
  'RequestExecutor._disableTopologyUpdates': () => expect(executor()._disableTopologyUpdates).toBe(true),
  'RequestExecutor.getHttpAgent': async () => expect(await executor().getHttpAgent()).toBeDefined(),
  'RavenCommand.send': async () => {
    const one = command();
    one.send = vi.fn().mockRejectedValue(new Error('sent by the test'));
    const chosenNode = new ServerNode({ url, database: 'd', serverRole: 'Member' });
    const asked = executor().execute(one, null, { chosenNode, nodeIndex: null, shouldRetry: false });
    await expect(asked).rejects.toThrow();
    expect(one.send).toHaveBeenCalled();
  },
  'RavenCommand._canCache': () => expect(command()._canCache).toBe(true),
  'RavenCommand._canCacheAggressively': () => expect(command()._canCacheAggressively).toBe(true),
});
