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

/** Types that office files share with others: ZIP files, the container of encrypted files, and unknown content. */
const possible = new Set(['application/zip', 'application/x-cfb', 'application/octet-stream']);

/** The kind of an office file by its type, or by its name if other files have the type too; null for other files. */
export function officeKind(type: string, name: string): OfficeKind | null {
  const [list, text] = possible.has(type) ? [endings, name] : [types, type];
  return list.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
