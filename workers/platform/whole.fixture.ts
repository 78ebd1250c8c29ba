/** Tests do all of what they sample otherwise: set by `npm run faults` and `npm run fuzz`. */
export const whole: boolean = process.env.DYNO_WHOLE === '1';
