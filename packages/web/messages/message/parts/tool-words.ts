/** What a tool was given or has answered, as text: JSON on several lines, strings as they are; empty for nothing. */
export function codeOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const json = JSON.stringify(value, null, 2) as string | undefined; // undefined for undefined
  return json === undefined || json === '{}' ? '' : json;
}
