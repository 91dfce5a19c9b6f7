/** On Apple's systems Cmd is what Ctrl is elsewhere. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
