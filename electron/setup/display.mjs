import { hasDisplay, run } from './project.mjs';

/** The command, on a virtual display where there is no other. Throws where there is no Xvfb either. */
export async function onDisplay(command) {
  if (hasDisplay()) return command;
  const found = await run('xvfb-run', ['--help'], { capture: true }).catch(() => null);
  if (found === null) throw new Error('There is no display and no Xvfb. To fix: sudo apt-get install xvfb xauth');
  // An X server that resets itself when its last client goes turns away one that comes at that moment.
  return ['xvfb-run', '-a', '-s', '-screen 0 1920x1200x24 -noreset', ...command];
}
