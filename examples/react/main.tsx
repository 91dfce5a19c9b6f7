import { createClient } from '@parley/client';
import { createRoot } from 'react-dom/client';
import { Chat } from './chat.tsx';

const { PARLEY_URL: url = '', PARLEY_TOKEN: token = '' } = import.meta.env;
const client = createClient({ url, token, autoConnect: false });
createRoot(document.querySelector('#root') ?? document.body).render(<Chat client={client} />);
