import { hostOf, isMisleading, linkAddress } from '@parley/markdown';
import type { PartOf } from '@parley/protocol';

/** A page that a reply refers to. */
export interface ListedSource {
  readonly number: number;
  readonly url: string;
  /** Undefined for an address that the app does not open: it is shown as text. */
  readonly href: string | undefined;
  readonly host: string;
  readonly title: string;
  /** Its title where the host is not shown beside it: not one that reads as another host. */
  readonly label: string;
  readonly excerpts: readonly string[];
}

/** The sources of a reply, each address once, numbered in the order of the text. */
export function listedSources(parts: readonly PartOf<'source'>[]): ListedSource[] {
  const listed = new Map<string, ListedSource>();
  for (const { url, title = '', excerpt = '' } of parts) {
    const known = listed.get(url);
    const excerpts = known?.excerpts ?? [];
    const isNew = excerpt.trim() !== '' && !excerpts.includes(excerpt);
    const href = linkAddress(url);
    const host = href === undefined ? '' : hostOf(href);
    const name = known?.title || title.trim();
    listed.set(url, {
      number: known?.number ?? listed.size + 1,
      url,
      href,
      host,
      title: name,
      label: (isMisleading(name, href ?? '') ? '' : name) || host || url,
      excerpts: isNew ? [...excerpts, excerpt] : excerpts,
    });
  }
  return [...listed.values()];
}
