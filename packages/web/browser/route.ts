export const settingsSections = [
  'profile',
  'emoji',
  'agents',
  'calls',
  'bots',
  'sessions',
  'notifications',
  'privacy',
  'appearance',
] as const;
export type SettingsSection = (typeof settingsSections)[number];

/** The pages for those who run the service. The first one is at `/admin` too. */
export const adminPages = ['overview', 'accounts', 'invites', 'groups', 'reports', 'audit'] as const;
export type AdminPage = (typeof adminPages)[number];

/** A page of the app. Each has an address, so that Back, reload and links work. */
export type Route =
  | { name: 'home' }
  | { name: 'inbox' }
  /** The public groups. */
  | { name: 'browse' }
  /** The agents that the user may use. */
  | { name: 'shelf' }
  | {
      name: 'chat';
      chatId: string;
      channelId: string | null;
      threadRootId: string | null;
      messageId: string | null;
      /** A day to go to, such as 2026-11-21, if no message is given. */
      day: string | null;
    }
  | {
      name: 'settings';
      section: SettingsSection;
      /** The agent whose key is wanted, by its username: its field has the focus. */
      keyOf?: string;
    }
  | { name: 'admin'; page: AdminPage }
  /** The page of one of the user's agents. `username` is null for a new agent, which may start as a copy. */
  | { name: 'agent'; username: string | null; copyOf: string | null }
  | { name: 'join'; token: string }
  /** Where a person sets a new password with a link, whose token stands behind `#`. */
  | { name: 'password' }
  /** Where a program asks whether it may act for the user. */
  | { name: 'consent' }
  /** The list, with the dialog that starts a conversation. */
  | { name: 'new' }
  /** What another app shares with the installed app. */
  | { name: 'share'; shared: string }
  /** An address that the app does not have. */
  | { name: 'missing'; path: string };

/** In the place of a username, which always contains a colon. */
const NEW = 'new';

/** Parses an address into a route. */
export function parseRoute(path: string, query = ''): Route {
  const [, first = '', second = '', ...rest] = path.split('/').map((part) => decode(part));
  if (first === 'join' && second !== '') return { name: 'join', token: second };
  if (first === 'settings' && second === 'agents' && rest[0])
    return {
      name: 'agent',
      username: rest[0] === NEW ? null : rest[0],
      copyOf: rest[0] === NEW ? new URLSearchParams(query).get('copy') : null,
    };
  if (first === 'settings') {
    const known = settingsSections.find((section) => section === (second || 'profile'));
    if (!known) return { name: 'missing', path };
    const keyOf = new URLSearchParams(query).get('key');
    return { name: 'settings', section: known, ...(keyOf !== null && { keyOf }) };
  }
  if (first === 'admin' && rest.length === 0) {
    const page = adminPages.find((one) => one === (second || 'overview'));
    if (page) return { name: 'admin', page };
  }
  if (first === '') return { name: 'home' };
  if (first === 'inbox' && second === '') return { name: 'inbox' };
  if (first === 'browse' && second === '') return { name: 'browse' };
  if (first === 'agents' && second === '') return { name: 'shelf' };
  if (first === 'password' && second === '') return { name: 'password' };
  if (first === 'oauth' && second === 'authorize' && rest.length === 0) return { name: 'consent' };
  if (first === 'new' && second === '') return { name: 'new' };
  if (first === 'share' && second === '') return { name: 'share', shared: sharedIn(new URLSearchParams(query)) };
  if (first !== 'chat' || second === '') return { name: 'missing', path };
  const target = new URLSearchParams(query);
  const after = (word: string): string | null => rest[rest.indexOf(word) + 1] ?? null;
  return {
    name: 'chat',
    chatId: second,
    channelId: rest.includes('channel') ? after('channel') : null,
    threadRootId: rest.includes('thread') ? after('thread') : null,
    messageId: target.get('m'),
    day: target.get('day'),
  };
}

/** Returns the address of a route. */
export function hrefOf(route: Route): string {
  switch (route.name) {
    case 'home':
      return '/';
    case 'inbox':
      return place('inbox');
    case 'browse':
      return place('browse');
    case 'shelf':
      return place('agents');
    case 'new':
      return '/new';
    case 'password':
      return '/password';
    case 'consent':
      return '/oauth/authorize';
    case 'share':
      return `/share?text=${encodeURIComponent(route.shared)}`;
    case 'join':
      return place('join', route.token);
    case 'settings': {
      const query = route.keyOf === undefined ? '' : `?key=${encodeURIComponent(route.keyOf)}`;
      return place('settings', route.section) + query;
    }
    case 'admin':
      return place('admin', route.page);
    case 'agent': {
      const query = route.copyOf === null ? '' : `?copy=${encodeURIComponent(route.copyOf)}`;
      return place('settings', 'agents', route.username ?? NEW) + query;
    }
    case 'chat': {
      const { chatId, channelId, threadRootId, messageId, day } = route;
      const channel = channelId === null ? [] : ['channel', channelId];
      const thread = threadRootId === null ? [] : ['thread', threadRootId];
      const target = messageId === null ? (day === null ? [] : ['day', day]) : ['m', messageId];
      const query = target.map((part) => encodeURIComponent(part)).join('=');
      return place('chat', chatId, ...channel, ...thread) + (query === '' ? '' : `?${query}`);
    }
    case 'missing':
      return route.path;
    default:
      return route satisfies never;
  }
}

/** Title, text and address, without those that another one contains: apps put them into different fields. */
function sharedIn(query: URLSearchParams): string {
  const parts = ['title', 'text', 'url'].map((name) => query.get(name)?.trim() ?? '').filter((part) => part !== '');
  return parts
    .filter((part, at) => !parts.some((other, of) => of !== at && other.includes(part) && (other !== part || of < at)))
    .join('\n');
}

const place = (...parts: string[]): string => `/${parts.map((part) => encodeURIComponent(part)).join('/')}`;

/** The token of an invite to the service, in an address such as `/#invite=…` or `/?invite=…`; null if there is none. */
export function inviteIn({ hash, search }: Pick<Location, 'hash' | 'search'>): string | null {
  const token = new URLSearchParams(hash.replace(/^#/, '')).get('invite') ?? new URLSearchParams(search).get('invite');
  return token || null;
}

/** The route to a conversation, or to a channel, thread, message or day in it. */
export const chatRoute = (
  chatId: string,
  place: { channelId?: string | null; threadRootId?: string | null; messageId?: string | null; day?: string } = {},
): Route => ({
  name: 'chat',
  chatId,
  channelId: place.channelId ?? null,
  threadRootId: place.threadRootId ?? null,
  messageId: place.messageId ?? null,
  day: place.day ?? null,
});

/** The route to the field for the key of one of the user's agents. */
export const keyRoute = (username: string): Route => ({ name: 'settings', section: 'agents', keyOf: username });

/** The route to the page of one of the user's agents. */
export const agentRoute = (username: string): Route => ({ name: 'agent', username, copyOf: null });

/** The route to the page that makes an agent, which starts as a copy of another one if that is given. */
export const newAgentRoute = (copyOf: string | null = null): Route => ({ name: 'agent', username: null, copyOf });

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
