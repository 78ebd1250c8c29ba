import { createFakeBridge } from './fake-bridge.ts';

// The app is imported afterwards, because its modules may use window.dyno at once. `?empty` starts without runs.
const runs = location.search.includes('empty') ? { runs: [] } : {};
Object.defineProperty(window, 'dyno', { value: createFakeBridge(runs) });
await import('../main.tsx');
