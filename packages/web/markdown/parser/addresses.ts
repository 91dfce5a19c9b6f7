// Which addresses a message may lead to. Nothing else becomes a link or an image: it stays text.

const MOST_LENGTH = 2048;
const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);
/** Of what a browser would pass over, or take for a slash: `java\nscript:`, `https:\\host`. */
const DOUBTFUL = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\\<>"\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
const OWN_FILE = /^\/files\/[\w.~%-]+(?:\/[\w.~%-]+)*(?:\?[\w.~%=&-]*)?$/;

/** The address of a link as it is followed; undefined for what is none. */
export function linkAddress(text: string): string | undefined {
  const url = parse(text);
  return url && schemes.has(url.protocol) ? url.href : undefined;
}

/** The address of an image: of the web, or a file of the service. */
export function imageAddress(text: string): string | undefined {
  if (isOwnFile(text)) return text;
  const url = parse(text);
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : undefined;
}

/** A file of the service: its images are shown at once. */
export const isOwnFile = (url: string): boolean =>
  url.length <= MOST_LENGTH && OWN_FILE.test(url) && !/(?:\.|%2e){2}/i.test(url);

/** The address of an attached file: of the web, or a path of the service. */
export const fileAddress = (text: string): string | undefined =>
  /^\/(?![/\\])/.test(text) && !DOUBTFUL.test(text) ? text : linkAddress(text);

/** Where an address leads, as people tell hosts apart; empty for mail. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host.replace(/^www\./, '') : '';
}

/** Characters that are not seen, and those that turn the reading direction. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;
const TURNING = /[\u202a-\u202e\u2066-\u2069]/u;
/** What may be a host, with what belongs to none at its ends. */
const RUN = /[\p{L}\p{M}\p{N}_.-]+/gu;
/** The last part of a host; a number is none. */
const TOP = /^\p{L}[\p{L}\p{M}\p{N}-]+/u;
/** Behind a host: its port and path, in which dots make no further host. */
const PATH = /[/?#:]\S*/y;

/**
 * A label deceives when it reads as the address of another host than the one that the link leads to. It is compared
 * as it is read: without invisible characters, with every kind of full stop as one (TEXT-2).
 */
export function isMisleading(label: string, url: string): boolean {
  const target = hostnameOf(url);
  if (target === '') return false;
  if (TURNING.test(label)) return true;
  const read = label
    .normalize('NFKC')
    .replaceAll(INVISIBLE, '')
    .replaceAll(/[\u3002\uff61]/g, '.');
  return hostsIn(read).some((shown) => {
    const meant = hostnameOf(`https://${shown}`);
    return target !== meant && !target.endsWith(`.${meant}`);
  });
}

/** The hosts that a label shows, in time that is linear in its length. */
function hostsIn(label: string): string[] {
  const hosts: string[] = [];
  RUN.lastIndex = 0;
  for (let found = RUN.exec(label); found; found = RUN.exec(label)) {
    const before = hosts.length;
    for (const part of found[0].split(/\.\.+/)) {
      const names = part.split('.').filter((name) => name !== '');
      const last = names.findLastIndex((name) => TOP.test(name));
      if (last > 0) hosts.push([...names.slice(0, last), TOP.exec(names[last] ?? '')?.[0]].join('.'));
    }
    PATH.lastIndex = RUN.lastIndex;
    if (hosts.length > before && PATH.test(label)) RUN.lastIndex = PATH.lastIndex;
  }
  return hosts;
}

/** The host of an address, without port, `www.` and the full stop of the root. */
function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '').replace(/\.$/, '') : '';
}

function parse(text: string): URL | undefined {
  if (text.length > MOST_LENGTH || DOUBTFUL.test(text) || !/^(?:https?:\/\/|mailto:)[^/]/i.test(text)) return undefined;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  // `https://bank.example@evil.example` says one host and means the other.
  return url.username === '' && url.password === '' ? url : undefined;
}
