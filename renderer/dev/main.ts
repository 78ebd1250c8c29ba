import { createFakeBridge } from './fake-bridge.ts';

// Before the app is imported: its modules may look at window.dyno at once.
Object.defineProperty(window, 'dyno', { value: await createFakeBridge() });
await import('../main.tsx');
