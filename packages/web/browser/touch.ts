export { isTouch } from '@parley/react';

/** True if the device has a touch screen, also beside a mouse. */
export const hasTouch = (): boolean => matchMedia('(any-pointer: coarse)').matches;
