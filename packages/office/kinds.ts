export type OfficeKind = 'document' | 'spreadsheet' | 'presentation';

const types: readonly (readonly [RegExp, OfficeKind])[] = [
  [/officedocument\.wordprocessingml|opendocument\.text/, 'document'],
  [/officedocument\.spreadsheetml|opendocument\.spreadsheet/, 'spreadsheet'],
  [/officedocument\.presentationml|opendocument\.presentation/, 'presentation'],
];

const endings: readonly (readonly [RegExp, OfficeKind])[] = [
  [/\.(?:docx|docm|dotx|odt)$/i, 'document'],
  [/\.(?:xlsx|xlsm|xltx|ods)$/i, 'spreadsheet'],
  [/\.(?:pptx|pptm|ppsx|potx|odp)$/i, 'presentation'],
];

/** Types of files that may be one of an office program: a ZIP file, one with a password, and what is not recognized. */
const possible = new Set(['application/zip', 'application/x-cfb', 'application/octet-stream']);

/** Which office program a file is of, by its type or, where that does not say it, by its name; null if of none. */
export function officeKind(type: string, name: string): OfficeKind | null {
  const [list, text] = possible.has(type) ? [endings, name] : [types, type];
  return list.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
