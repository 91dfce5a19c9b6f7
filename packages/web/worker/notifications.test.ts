import { describe, expect, it } from 'vitest';
import { chatPath, dataOf, isNews, isOver, mustShowSomething, parsePush } from './notifications.ts';

const said = { title: 'Bob', body: 'hello', chat_id: 'c1', message_id: 'm1', position: 7 };
const parse = (push: unknown) => parsePush(JSON.stringify(push));

describe('a push', () => {
  it('PUSH-15: announces a message, with or without a badge', () => {
    const message = {
      kind: 'message',
      title: 'Bob',
      body: 'hello',
      chatId: 'c1',
      messageId: 'm1',
      position: 7,
      icon: null,
    };
    expect(parse(said)).toEqual({ ...message, badge: null });
    expect(parse({ ...said, badge: 3 })).toEqual({ ...message, badge: 3 });
    const icon = '/avatars/a.webp';
    expect(parse({ ...said, icon })).toEqual({ ...message, badge: null, icon });
    for (const other of ['https://elsewhere.example/a.webp', '//elsewhere.example', 1])
      expect(parse({ ...said, icon: other })).toEqual({ ...message, badge: null });
  });

  it('PUSH-20: closes notifications up to a position', () => {
    const push = { close: { chat_id: 'c1', message_id: 'm1', position: 7 }, badge: 0 };
    expect(parse(push)).toEqual({ kind: 'close', chatId: 'c1', position: 7, badge: 0 });
    expect(parse({ close: push.close })).toEqual({ kind: 'close', chatId: 'c1', position: 7, badge: null });
  });

  it('PUSH-23: may contain only a badge, also 0', () => {
    expect(parse({ badge: 0 })).toEqual({ kind: 'badge', badge: 0 });
  });

  it('is unknown in any other form', () => {
    for (const push of [null, 1, [], {}, { title: 'x' }, { badge: -1 }, { badge: '3' }, { close: { chat_id: 'c1' } }])
      expect(parse(push)).toEqual({ kind: 'unknown' });
    expect(parsePush('no JSON')).toEqual({ kind: 'unknown' });
    expect(parsePush('')).toEqual({ kind: 'unknown' });
  });
});

describe('the notification of a conversation', () => {
  const shown = { chatId: 'c1', messageId: 'm1', position: 7 };

  it('PUSH-24: is replaced by a newer or the same message, not by an older one', () => {
    expect(isNews(8, [shown])).toBe(true);
    expect(isNews(7, [shown])).toBe(true);
    expect(isNews(6, [shown])).toBe(false);
    expect(isNews(1, [])).toBe(true);
  });

  it('PUSH-24: is closed by a read position of its own conversation only', () => {
    expect(isOver(shown, 'c1', 7)).toBe(true);
    expect(isOver(shown, 'c1', 6)).toBe(false);
    expect(isOver(shown, 'c2', 9)).toBe(false);
    expect(isOver(undefined, 'c1', 9)).toBe(false);
  });

  it('is distinguished from foreign notifications', () => {
    expect(dataOf(shown)).toEqual(shown);
    for (const data of [null, undefined, 'x', [], { chatId: 'c1' }]) expect(dataOf(data)).toBeNull();
  });
});

describe('the worker', () => {
  it('opens a conversation at its own address', () => {
    expect(chatPath('a/b')).toBe('/chat/a%2Fb');
  });

  it('shows something for each push if the browser requires it', () => {
    const safari = 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15';
    const chrome =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
    expect(mustShowSomething(safari)).toBe(true);
    expect(mustShowSomething(chrome)).toBe(false);
    expect(mustShowSomething('Mozilla/5.0 (X11) Gecko/20100101 Firefox/140.0')).toBe(false);
  });
});
