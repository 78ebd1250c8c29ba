/** True under `npm run test:long`: tests do everything that they sample otherwise. */
export const whole: boolean = process.env.DYNO_WHOLE === '1';
