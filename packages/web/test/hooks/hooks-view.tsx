// A small chat made with @parley/react, rendered on a server and in a page by hooks.test.ts.
import type { Client } from '@parley/client';
import {
  ParleyProvider,
  useChats,
  useComposer,
  useConnection,
  useMessage,
  useTimeline,
  useTyping,
} from '@parley/react';
import { StrictMode, Suspense, use } from 'react';

/** How often each component has rendered, by name. */
export const renders: Record<string, number> = {};
const count = (name: string) => (renders[name] = (renders[name] ?? 0) + 1);

interface Place {
  chatId: string;
  threadRootId?: string | undefined;
  /** A part of the page is hydrated only then. */
  late?: Promise<void> | undefined;
}

export const View = ({ client, late, ...place }: Place & { client: Client }) => (
  <StrictMode>
    <ParleyProvider client={client}>
      <Chat {...place} />
      <Suspense>
        <Late late={late} />
      </Suspense>
    </ParleyProvider>
  </StrictMode>
);

function Chat({ chatId, threadRootId }: Place) {
  count('chat');
  const key = { chat_id: chatId, thread_root_id: threadRootId };
  const state = useConnection();
  const { ids } = useChats();
  const { rows } = useTimeline(key);
  const typing = useTyping(key);
  const { text, setText, send } = useComposer(key);
  return (
    <main>
      <p data-part="state">{state}</p>
      <p data-part="chats">{ids.length}</p>
      <p data-part="typing">{typing.map(({ username }) => username).join()}</p>
      <ul>
        {rows.map((row) => (
          <Row key={row} id={row} />
        ))}
      </ul>
      <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
      <button type="button" onClick={() => send()}>
        Send
      </button>
    </main>
  );
}

function Row({ id }: { id: string }) {
  const message = useMessage(id);
  count(`row ${message?.id ?? ''}`);
  return <li>{`${message?.content ?? ''}${message?.outbox ? ' (pending)' : ''}`}</li>;
}

function Late({ late }: Pick<Place, 'late'>) {
  const { isLoaded } = useChats();
  const state = useConnection();
  if (late) use(late);
  return <p data-part="late">{`${state} ${String(isLoaded)}`}</p>;
}
