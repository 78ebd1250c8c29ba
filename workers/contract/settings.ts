export * from './settings/environment-settings.ts';
export * from './settings/options.ts';
export * from './settings/settings.ts';
export * from './settings/vocabulary.ts';
