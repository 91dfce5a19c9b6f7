/** Joins class names, skipping empty ones. */
export const classNames = (...names: readonly (string | false | null | undefined)[]): string =>
  names.filter((name) => name).join(' ');
