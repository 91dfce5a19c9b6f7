/** Narrows a value of JSON to an object; null and lists are none. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value if it is a text, otherwise ''. */
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The value if it is a list, otherwise an empty one. */
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Narrows a value of JSON to a list of texts. */
export const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
