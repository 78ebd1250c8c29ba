import { buildWindow } from './build-code.mjs';
import { root } from '../setup/project.mjs';

// Builds the window of `npm start` into dist/, beside the programs.
await buildWindow(root, { files: '../', programs: 'programs/' });
