// The baseline for the app's benchmarks: a naive list with all messages in one state. Each delta renders all messages
// again, with the same Markdown renderer.
import { createApi } from '@parley/client';
import { normalized, parseMarkdown } from '@parley/markdown';
import type { Message } from '@parley/protocol';
import { useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import '../../styles/tokens.css';
import { Markdown } from '../../markdown/markdown.tsx';
import { type ShownMessage, ShownMessageContext } from '../../markdown/views/shown-message.ts';

const token = localStorage.getItem('parley.token') ?? '';
const chat_id = new URLSearchParams(location.search).get('chat') ?? '';
const api = createApi({ url: location.origin, token });

async function history(): Promise<Message[]> {
  let all: Message[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.getChatHistory({ chat_id, limit: 100, ...(cursor !== undefined && { cursor }) });
    all = [...page.items, ...all];
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}

function NaiveChat() {
  const [messages, setMessages] = useState<Message[]>([]);
  const [text, setText] = useState('');
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    void history().then(setMessages);
    const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/api/ws?token=${token}`);
    socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const { method, params } = JSON.parse(data);
      if (method === 'events.messageNew') setMessages((all) => [...all, params]);
      if (method === 'events.messageDelta')
        setMessages((all) =>
          all.map((one) => (one.id === params.id ? { ...one, content: one.content + params.delta } : one)),
        );
    });
    return () => socket.close();
  }, []);
  useEffect(() => {
    end.current?.scrollIntoView();
  }, [messages]);
  return (
    <main>
      <div style={{ height: 600, overflow: 'auto' }}>
        {messages.map((message) => (
          <ShownMessageContext key={message.id} value={shownOf(message)}>
            <article data-message={message.id}>
              <b>{message.sender.display_name}</b> <time>{new Date(message.created_at).toLocaleTimeString()}</time>
              <Markdown blocks={parseMarkdown(normalized(message.content))} />
            </article>
          </ShownMessageContext>
        ))}
        <div ref={end} />
      </div>
      <textarea value={text} onChange={({ target }) => setText(target.value)} />
    </main>
  );
}

const shownOf = ({ id, sender }: Message): ShownMessage => ({
  chatId: chat_id,
  messageId: id,
  canAct: false,
  sender,
  me: '',
  nameOf: () => undefined,
});

const root = document.querySelector('#root');
if (root) createRoot(root).render(<NaiveChat />);
