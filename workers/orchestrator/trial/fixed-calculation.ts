import { performance } from 'node:perf_hooks';

/** About 0.2 ms on a processor of 2024: short enough to fit between two turns of other processes. */
const steps = 100_000;
/** A pass that another process interrupts is longer than the others; the shortest one is the processor's own. */
const passes = 5;
/** So many passes compile the code to what it stays. */
const passesToCompile = 200;

let isCompiled = false;

/** Has the calculation compiled, which takes longer than the pause before a phase should. Later calls do nothing. */
export function compileFixedCalculation(): void {
  for (let i = 0; i < passesToCompile && !isCompiled; i++) result = calculate(steps);
  isCompiled = true;
}

/**
 * The time that a fixed calculation takes now, µs: integers in registers alone, no memory and no system call. What
 * makes it longer is the processor itself: another virtual machine on the same core, a lower frequency. It has to be
 * compiled before.
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

/** Kept, so that no compiler leaves the calculation out. */
let result = 0;

/**
 * Eight chains that do not wait for one another, as they fill a core whose halves two machines share. Each step stays
 * within 32 bits, so that the compiler needs no other numbers.
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
