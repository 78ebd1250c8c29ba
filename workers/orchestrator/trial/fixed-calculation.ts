import { performance } from 'node:perf_hooks';

/**
 * The calculation takes about 0.2 ms on a processor of 2024, short enough to fit between two turns of other processes.
 */
const steps = 100_000;
/**
 * A pass that another process interrupts is longer than the others, so the shortest pass shows the processor's speed.
 */
const passes = 5;
/** After this many passes, the code is fully compiled. */
const passesToCompile = 200;

let isCompiled = false;

/** Compiles the calculation, which takes longer than the pause before a phase should be. Later calls do nothing. */
export function compileFixedCalculation(): void {
  for (let i = 0; i < passesToCompile && !isCompiled; i++) result = calculate(steps);
  isCompiled = true;
}

/**
 * Time in µs that a fixed calculation takes now. It uses integers in registers only, no memory and no system call, so
 * only the processor itself can make it longer: another virtual machine on the same core, or a lower frequency. It must
 * be compiled before.
 */
export function timeFixedCalculation(): number {
  let shortestMs = Number.POSITIVE_INFINITY;
  for (let i = 0; i < passes; i++) {
    const startMs = performance.now();
    result = calculate(steps);
    shortestMs = Math.min(shortestMs, performance.now() - startMs);
  }
  return shortestMs * 1_000;
}

/** The result is stored, so that no compiler removes the calculation. */
let result = 0;

/**
 * Eight independent chains fill a core whose halves two machines may share. Each step stays within 32 bits, so the
 * compiler needs no other number type.
 */
function calculate(count: number): number {
  let a = result & 1;
  let b = 2;
  let c = 3;
  let d = 4;
  let e = 5;
  let f = 6;
  let g = 7;
  let h = 8;
  for (let i = 0; i < count; i++) {
    a = (a + i) | 0;
    b = (b ^ i) | 0;
    c = (c + (i << 1)) | 0;
    d = (d ^ (i << 2)) | 0;
    e = (e + a) | 0;
    f = (f ^ b) | 0;
    g = (g + c) | 0;
    h = (h ^ d) | 0;
  }
  return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
}
