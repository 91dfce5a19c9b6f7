/**
 * The words of a command line as a shell would see them, without any other meaning: spaces separate, quotation marks and
 * backslashes keep. Throws a TypeError for an empty command or an open quotation mark (BRIDGE-1).
 */
export function splitCommand(command: string): [program: string, ...args: string[]] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let at = 0; at < command.length; at += 1) {
    const char = command.charAt(at);
    const next = command.charAt(at + 1);
    if (char === '\\' && quote !== "'" && (quote === '' ? next !== '' : next === '"' || next === '\\')) {
      word = (word ?? '') + next;
      at += 1;
    } else if (quote !== '') {
      if (char === quote) quote = '';
      else word = (word ?? '') + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + char;
  }
  if (quote !== '') throw new TypeError(`the command has a ${quote} without its end`);
  if (word !== null) words.push(word);
  const [program, ...args] = words;
  if (program === undefined || program === '') throw new TypeError('the command of --acp is empty');
  return [program, ...args];
}
