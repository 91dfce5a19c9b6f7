import { normalForm } from './normal-form.ts';

// Decides which addresses become links and images; all others stay text.

const MAX_LENGTH = 2048;
const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);
/** Characters that browsers ignore or read as a slash: `java\nscript:`, `https:\\host`. */
const DOUBTFUL = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\\<>"\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
const OWN_FILE = /^\/files\/[\w.~%-]+(?:\/[\w.~%-]+)*(?:\?[\w.~%=&-]*)?$/;

/** The normalized address of a link; undefined if it is not allowed. */
export function linkAddress(text: string): string | undefined {
  const url = parse(text);
  return url && schemes.has(url.protocol) ? url.href : undefined;
}

/** The address of an image: http(s), or a file of the service. */
export function imageAddress(text: string): string | undefined {
  if (isOwnFile(text)) return text;
  const url = parse(text);
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : undefined;
}

/** Which addresses become links and images: each returns the normalized address, or undefined for text. */
export interface AddressRules {
  readonly ofLink: (text: string) => string | undefined;
  readonly ofImage: (text: string) => string | undefined;
}
export const usualAddresses: AddressRules = { ofLink: linkAddress, ofImage: imageAddress };

/** Whether an address is a file of the service: its images load without a click. */
export const isOwnFile = (url: string): boolean =>
  url.length <= MAX_LENGTH && OWN_FILE.test(url) && !/(?:\.|%2e){2}/i.test(url);

/** The address of an attached file: http(s), or a path on the service. */
export const fileAddress = (text: string): string | undefined =>
  /^\/(?![/\\])/.test(text) && !DOUBTFUL.test(text) ? text : linkAddress(text);

/** The host of an address, as shown to people; empty for mailto. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host.replace(/^www\./, '') : '';
}

/** Invisible characters, and those that change the reading direction. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;
const TURNING = /[\u202a-\u202e\u2066-\u2069]/u;
/** A possible host name, with surrounding characters. */
const RUN = /[\p{L}\p{M}\p{N}_.-]+/gu;
/** A top-level domain; not a number. */
const TOP = /^\p{L}[\p{L}\p{M}\p{N}-]+/u;
/** Port and path after a host: dots in them do not start another host. */
const PATH = /[/?#:]\S*/y;

/**
 * A label is deceptive if it reads like an address on another host than the link's. The comparison ignores invisible
 * characters and treats every kind of full stop alike (TEXT-2).
 */
export function isMisleading(label: string, url: string): boolean {
  const target = hostnameOf(url);
  if (target === '') return false;
  if (TURNING.test(label)) return true;
  const read = normalForm(label, 'NFKC')
    .replaceAll(INVISIBLE, '')
    .replaceAll(/[\u3002\uff61]/g, '.');
  return hostsIn(read).some((shown) => {
    const meant = hostnameOf(`https://${shown}`);
    return target !== meant && !target.endsWith(`.${meant}`);
  });
}

/** The hosts that a label shows. Takes linear time. */
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

/** The host of an address without port, `www.` and trailing dot. */
function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '').replace(/\.$/, '') : '';
}

function parse(text: string): URL | undefined {
  if (text.length > MAX_LENGTH || DOUBTFUL.test(text) || !/^(?:https?:\/\/|mailto:)[^/]/i.test(text)) return undefined;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  // Refuse credentials: `https://bank.example@evil.example` reads like one host and leads to another.
  return url.username === '' && url.password === '' ? url : undefined;
}
