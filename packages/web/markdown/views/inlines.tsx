import { hostOf, type Inline, isMisleading, textOfInlines } from '@parley/markdown';
import { Fragment, memo, type MouseEvent } from 'react';
import { usePage } from '../../browser/page.ts';
import { parseRoute } from '../../browser/route.ts';
import { EmojiText } from '../../emoji/emoji-sign.tsx';
import { calmText } from '../../words/calm-text.ts';
import { isOwnPage } from '../live/app-addresses.ts';
import { FootnoteMark } from './footnote-mark.tsx';
import { FormulaView } from './formula-view.tsx';
import styles from './markdown.module.css';
import { MentionView } from './mention-view.tsx';
import { RemoteImage } from './remote-image.tsx';
import { TagSlot } from './tag-slot.tsx';

interface InlinesProps {
  inlines: readonly Inline[];
  /** Links must not contain interactive elements. */
  isLinked?: boolean;
}

export function Inlines({ inlines, isLinked = false }: InlinesProps) {
  return inlines.map((inline, at) => <InlineView key={at} inline={inline} isLinked={isLinked} />);
}

const InlineView = memo(function InlineView({ inline, isLinked }: { inline: Inline; isLinked: boolean }) {
  switch (inline.kind) {
    case 'text':
      return inline.text.includes(':') ? <EmojiText text={calmText(inline.text)} /> : calmText(inline.text);
    case 'break':
      return <br />;
    case 'code':
      return <code className={styles['code']}>{calmText(inline.text)}</code>;
    case 'strong':
      return (
        <strong>
          <Inlines inlines={inline.children} isLinked={isLinked} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Inlines inlines={inline.children} isLinked={isLinked} />
        </em>
      );
    case 'strike':
      return (
        <s>
          <Inlines inlines={inline.children} isLinked={isLinked} />
        </s>
      );
    case 'link':
      return <Link url={inline.url} inlines={inline.children} />;
    case 'image':
      return isLinked ? inline.alt || hostOf(inline.url) : <RemoteImage url={inline.url} alt={inline.alt} />;
    case 'mention':
      return <MentionView username={inline.username} text={inline.text} isLinked={isLinked} />;
    case 'footnote mark':
      return isLinked ? <sup>{inline.number}</sup> : <FootnoteMark number={inline.number} />;
    case 'formula':
      return <FormulaView text={inline.text} />;
    case 'markup':
      return calmText(inline.text)
        .split('\n')
        .map((line, at) => (
          <Fragment key={at}>
            {at > 0 && <br />}
            {line}
          </Fragment>
        ));
    case 'tag':
      return isLinked ? textOfInlines([inline]) : <TagSlot tag={inline} />;
    default:
      return inline satisfies never;
  }
});

function Link({ url, inlines }: { url: string; inlines: readonly Inline[] }) {
  if (isOwnPage(url)) return <PageLink url={url} inlines={inlines} />;
  const host = isMisleading(textOfInlines(inlines), url) ? hostOf(url) : '';
  return (
    <>
      <a href={url} target="_blank" rel="noopener noreferrer nofollow" title={url}>
        <Inlines inlines={inlines} isLinked />
      </a>
      {host === '' ? null : (
        <span className={styles['host']} data-aside>
          {' '}
          ({host})
        </span>
      )}
    </>
  );
}

/** A link to a page of the service: one of the app opens here, as if it were chosen in the menu. */
function PageLink({ url, inlines }: { url: string; inlines: readonly Inline[] }) {
  const { navigation } = usePage();
  const route = parseRoute(url);
  // A widget shows one conversation.
  const isOfApp = route.name !== 'missing' && navigation.addressOf(route) !== null;
  const open = (event: MouseEvent) => {
    if (!isOfApp || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigation.navigate(route);
  };
  return (
    <a href={url} {...(!isOfApp && { target: '_blank', rel: 'noopener' })} onClick={open}>
      <Inlines inlines={inlines} isLinked />
    </a>
  );
}
