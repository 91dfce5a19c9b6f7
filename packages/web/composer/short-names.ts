import { mentionAt, mentionedIn } from '@parley/markdown';
import type { Participant } from '@parley/protocol';

type Person = Pick<Participant, 'username' | 'kind'>;

/**
 * The agents that can be called by their slug alone, by slug: no other agent of the chat has the same one, and no
 * person is called so (WEB-112).
 */
export function shortNamesOf(people: readonly Person[]): ReadonlyMap<string, string> {
  const bySlug = new Map<string, string | null>();
  for (const { username, kind } of people) {
    const slug = kind === 'agent' ? username.slice(username.indexOf(':') + 1) : username;
    bySlug.set(slug, kind === 'agent' && !bySlug.has(slug) ? username : null);
  }
  return new Map([...bySlug].filter((entry): entry is [string, string] => entry[1] !== null));
}

/** A text in which every short name stands for its agent, and which short names those were. */
interface WholeText {
  readonly text: string;
  readonly replaced: readonly { readonly short: string; readonly username: string }[];
}

/** Replaces mentions by short names with whole handles; code, addresses and tags stay as they are. */
export function withWholeHandles(text: string, shortNames: ReadonlyMap<string, string>): WholeText {
  const found = shortNames.size === 0 ? [] : shortMentions(text, shortNames);
  if (found.length === 0) return { text, replaced: [] };
  const replaced = new Map(found.map(({ short, username }) => [short, { short, username }]));
  return { text: spliced(text, found, ({ username }) => username), replaced: [...replaced.values()] };
}

interface ShortMention {
  /** The place of its @. */
  readonly at: number;
  readonly short: string;
  readonly username: string;
}

function shortMentions(text: string, shortNames: ReadonlyMap<string, string>): ShortMention[] {
  const named: ShortMention[] = [];
  // A name in an address counts as a mention too, but another name would change where the address leads.
  let isInAddress = false;
  let from = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const [, isNewWord, word = ''] = /^(?:([^]*)\s)?(\S*)$/.exec(text.slice(from, at)) ?? [];
    isInAddress = (isNewWord === undefined && isInAddress) || /:\/\/|www\./i.test(word);
    from = at;
    const short = mentionAt(text, at)?.toLowerCase();
    const username = short === undefined ? undefined : shortNames.get(short);
    if (short !== undefined && username !== undefined && !isInAddress) named.push({ at, short, username });
  }
  if (named.length === 0) return named;
  // Which of them are mentions, and not in code or a tag, is decided by the parser of messages: each gets a name of its
  // own, and those that the parser finds are mentions. Other letters in a name change nothing else in a text.
  let probe = 'n';
  while (text.toLowerCase().includes(`@${probe}`)) probe += 'n';
  const names = new Map(named.map((one, order) => [one, `${probe}${order}`]));
  const mentioned = new Set(mentionedIn(spliced(text, named, (one) => names.get(one) ?? '')));
  return named.filter((one) => mentioned.has(names.get(one) ?? ''));
}

/** The text with other names at these mentions. */
function spliced(text: string, mentions: readonly ShortMention[], nameOf: (one: ShortMention) => string): string {
  let result = '';
  let done = 0;
  for (const one of mentions) {
    result += `${text.slice(done, one.at)}@${nameOf(one)}`;
    done = one.at + 1 + one.short.length;
  }
  return result + text.slice(done);
}
