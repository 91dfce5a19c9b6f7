const UNITS = ['kB', 'MB', 'GB'] as const;

/** For example "1.4 MB". */
export function fileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  let [size, at] = [bytes / 1000, 0];
  for (; size >= 999.5 && at < UNITS.length - 1; at += 1) size /= 1000;
  return `${size < 9.95 ? size.toFixed(1) : Math.round(size)} ${UNITS[at] ?? ''}`;
}
