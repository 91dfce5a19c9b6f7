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

/** A label that is an address itself, of another host than the one it leads to, deceives. */
export function isMisleading(label: string, url: string): boolean {
  const shown = /^\s*(?:https?:\/\/)?(?:[^\s/@]*@)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})(?::\d+)?(?:[/?#]|\s*$)/iu.exec(
    label,
  )?.[1];
  if (shown === undefined) return false;
  const target = hostOf(url).replace(/:\d+$/, '');
  const meant = hostOf(`https://${shown}`);
  return target !== meant && !target.endsWith(`.${meant}`);
}

function parse(text: string): URL | undefined {
  if (text.length > MOST_LENGTH || DOUBTFUL.test(text) || !/^(?:https?:\/\/|mailto:)[^/]/i.test(text)) return undefined;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  // `https://bank.example@evil.example` says one host and means the other.
  return url.username === '' && url.password === '' ? url : undefined;
}
