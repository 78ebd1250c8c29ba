import { createFakeBridge } from './fake-bridge.ts';

// The app is imported afterwards, because its modules may use window.dyno at once.
Object.defineProperty(window, 'dyno', { value: createFakeBridge() });
await import('../main.tsx');
