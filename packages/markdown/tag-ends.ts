/**
 * The end of the tag at each `{%`: outside of quotes and before the next opening. Found for all in one backward pass, so
 * that text full of openings takes no longer than other text.
 */
export function tagEnds(text: string, from: number, end: number): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  // The end as seen from the next character and the one after it, outside and inside of quotes.
  let outside: number | undefined;
  let outsideAfter: number | undefined;
  let within: number | undefined;
  let withinAfter: number | undefined;
  for (let at = end - 1; at >= from; at -= 1) {
    const char = text.charAt(at);
    const next = at + 1 < end ? text.charAt(at + 1) : '';
    const isOpening = char === '{' && next === '%';
    if (isOpening && outsideAfter !== undefined) ends.set(at, outsideAfter);
    const outsideNext: number | undefined = outside;
    const withinNext: number | undefined = within;
    if (isOpening) outside = undefined;
    else if (char === '"') [outside, within] = [withinNext, outsideNext];
    else if (char === '\\') within = withinAfter;
    else if (char === '%' && next === '}') outside = at + 2;
    [outsideAfter, withinAfter] = [outsideNext, withinNext];
  }
  return ends;
}
