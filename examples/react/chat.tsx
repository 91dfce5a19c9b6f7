import type { Client } from '@parley/client';
import { ChatList, Composer, ParleyProvider, Timeline } from '@parley/react';
import '@parley/react/styles.css';
import { useState } from 'react';

/** The client was made with `autoConnect: false`: the provider connects it while the page is shown. */
export const Chat = ({ client }: { client: Client }) => (
  <ParleyProvider client={client}>
    <Page />
  </ParleyProvider>
);

function Page() {
  const [chatId, open] = useState<string | null>(null);
  return (
    <div style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 3fr)', height: '100dvh' }}>
      <ChatList openId={chatId} onOpen={open} />
      {chatId && (
        <main style={{ display: 'flex', flexDirection: 'column', minWidth: 0, minHeight: 0 }}>
          <Timeline chatId={chatId} />
          <Composer chatId={chatId} />
        </main>
      )}
    </div>
  );
}
