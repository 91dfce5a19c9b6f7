import type { WebSocketClass } from '../environment.ts';
import type { BotOptions } from './bot.ts';
import { environment, nodeVersion } from './signals.ts';
import { StartError } from './start-error.ts';

const DEFAULT_URL = 'http://127.0.0.1:8080';

/** Where the app has it. */
export const HOW_TO_HAVE_A_TOKEN =
  'make a bot in the web app, under Settings → Bots, and put its token, mb_…, into PARLEY_TOKEN';
export const HOW_TO_RENEW_A_TOKEN =
  'have a new one made in the web app, under Settings → Bots → New token, and put it into PARLEY_TOKEN';

export interface Setup {
  url: string;
  token: string;
  WebSocket: WebSocketClass;
}

/** What a bot needs to begin with: throws StartError with what to do where something is missing. */
export function readSetup(options: BotOptions): Setup {
  const url = (options.url ?? environment('PARLEY_URL') ?? DEFAULT_URL).replace(/\/+$/, '');
  const token = options.token ?? environment('PARLEY_TOKEN') ?? '';
  // Node has it from 22 on, whatever its types say.
  const WebSocket = options.WebSocket ?? (globalThis as { WebSocket?: WebSocketClass }).WebSocket;
  if (!WebSocket) {
    const version = nodeVersion();
    throw new StartError(`a bot needs Node 22 or newer${version === undefined ? '' : `: this is Node ${version}`}`);
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new StartError(`PARLEY_URL must be an address such as ${DEFAULT_URL}, not "${url}"`);
  if (token === '') throw new StartError(`a bot needs its token: ${HOW_TO_HAVE_A_TOKEN}`);
  return { url, token, WebSocket };
}
