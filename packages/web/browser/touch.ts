/** True on a touch screen without a mouse: there Enter starts a new line, and a button sends. */
export const isTouch = (): boolean => matchMedia('(hover: none) and (pointer: coarse)').matches;

/** True if the device has a touch screen, also beside a mouse. */
export const hasTouch = (): boolean => matchMedia('(any-pointer: coarse)').matches;
