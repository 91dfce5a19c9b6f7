// A component of the server: it asks the service itself, and renders components of the browser.
import { createApi } from '@parley/client';
import { Composer, Timeline } from '@parley/react';
import { Provider } from './provider';

export const dynamic = 'force-dynamic';

export default async function Page() {
  const { PARLEY_URL: url = '', PARLEY_TOKEN: token = '' } = process.env;
  const api = createApi({ url, token });
  const { username } = await api.getMe();
  const [chat] = (await api.getChats({ limit: 1 })).items;
  if (!chat) return <p>No conversations yet.</p>;
  return (
    <Provider url={url} token={token}>
      <h1>{username}</h1>
      <main style={{ display: 'flex', flexDirection: 'column', height: '80dvh' }}>
        <Timeline chatId={chat.id} />
        <Composer chatId={chat.id} />
      </main>
    </Provider>
  );
}
