export { App } from '../shell/app.tsx';
export { start } from '../shell/start.ts';
