import type { Store } from '@parley/client/store';
import { folded } from '@parley/protocol/folded';
import type { Message } from '@parley/protocol';
import type { Hit } from './use-message-search.ts';
import type { messageQuery } from './search-text.ts';

type Asked = ReturnType<typeof messageQuery> & { readonly chat_id: string | undefined };

const HIT_BEGINS = '\uE000';
const HIT_ENDS = '\uE001';
const MAX_HITS = 50;
/** Characters of a snippet before its first hit, and behind its beginning. */
const LEAD = 40;
const LENGTH = 160;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts that are written without spaces: a typed word may be anywhere in a longer one. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** The messages that this device has and that contain all the words, newest first: what can be found without a connection. */
export function localHits(store: Store, asked: Asked): Hit[] {
  const words = Array.from(asked.query.matchAll(WORD), ([word]) => folded(word));
  if (words.length === 0) return [];
  const messages = (store.save()?.timelines ?? []).flatMap((timeline) => timeline.messages);
  const all = [...new Map(messages.map((message) => [message.id, message])).values()];
  return all
    .filter((message) => !message.service && isMeant(message, asked))
    .toSorted((one, other) => other.position - one.position)
    .flatMap((message) => {
      const snippet = localSnippet(message.content, words);
      return snippet === null ? [] : { message, snippet, file_id: undefined };
    })
    .slice(0, MAX_HITS);
}

function isMeant({ conversation_id, sender, created_at, content, attachments }: Message, asked: Asked): boolean {
  const { chat_id = conversation_id, sender: username = sender.username, has, before, after } = asked;
  if (chat_id !== conversation_id || username !== sender.username) return false;
  if ((before !== undefined && created_at >= before) || (after !== undefined && created_at < after)) return false;
  if (has === undefined) return true;
  return has === 'link' ? /https?:/.test(content) : attachments.length > 0;
}

/** The text around the first hit, with all hits marked as the service marks them; null if a word is missing. */
export function localSnippet(text: string, words: readonly string[]): string | null {
  const missing = new Set(words);
  const hits: { start: number; end: number }[] = [];
  for (const { 0: found, index: start } of text.matchAll(WORD)) {
    const term = folded(found);
    const met = words.filter((word) => (UNSPACED.test(word) ? term.includes(word) : term.startsWith(word)));
    for (const word of met) missing.delete(word);
    if (met.length > 0) hits.push({ start, end: start + found.length });
  }
  const [first] = hits;
  if (!first || missing.size > 0) return null;
  const from = Math.max(0, first.start - LEAD);
  const until = Math.min(text.length, from + LENGTH);
  let snippet = from > 0 ? '…' : '';
  let done = from;
  for (const { start, end } of hits.filter((hit) => hit.end <= until)) {
    snippet += `${text.slice(done, start)}${HIT_BEGINS}${text.slice(start, end)}${HIT_ENDS}`;
    done = end;
  }
  return (snippet + text.slice(done, until) + (until < text.length ? '…' : '')).replaceAll(/\s+/g, ' ').trim();
}
