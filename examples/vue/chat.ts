import { createClient } from '@parley/client';
import { createStore } from '@parley/client/store';

const { PARLEY_URL: url = '', PARLEY_TOKEN: token = '' } = import.meta.env;
export const client = createClient({ url, token });
export const store = createStore(client);
