import { root } from '../setup/project.mjs';
import { buildWindow } from './build-code.mjs';

// Builds the window of `npm start` into dist/, beside the programs.
await buildWindow(root, { files: '../', programs: 'programs/' });
