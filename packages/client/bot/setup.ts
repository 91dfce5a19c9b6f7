import { systemWebSocket, type WebSocketClass } from '../environment.ts';
import type { BotOptions } from './bot.ts';
import { environment, nodeVersion } from './signals.ts';
import { StartError } from './start-error.ts';

const DEFAULT_URL = 'http://127.0.0.1:8080';

/** Where to find a token in the app. */
export const HOW_TO_HAVE_A_TOKEN =
  'create a bot in the web app, under Settings → Bots, and put its token, mb_…, into PARLEY_TOKEN';
export const HOW_TO_RENEW_A_TOKEN =
  'create a new one in the web app, under Settings → Bots → New token, and put it into PARLEY_TOKEN';

interface Setup {
  url: string;
  token: string;
  WebSocket: WebSocketClass;
}

/** Reads the options and environment of a bot. Throws StartError with instructions if something is missing. */
export function readSetup(options: Pick<BotOptions, 'url' | 'token' | 'WebSocket'>): Setup {
  const url = (options.url ?? environment('PARLEY_URL') ?? DEFAULT_URL).replace(/(?<!\/)\/+$/, '');
  const token = options.token ?? environment('PARLEY_TOKEN') ?? '';
  const WebSocket = options.WebSocket ?? systemWebSocket();
  if (!WebSocket) {
    const version = nodeVersion();
    const here = version === undefined ? '' : ` (this is Node ${version})`;
    throw new StartError(`a bot needs Node 22 or newer${here}, or pass \`WebSocket\``);
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new StartError(`PARLEY_URL must be an address such as ${DEFAULT_URL}, not "${url}"`);
  if (token === '') throw new StartError(`a bot needs its token: ${HOW_TO_HAVE_A_TOKEN}`);
  return { url, token, WebSocket };
}
