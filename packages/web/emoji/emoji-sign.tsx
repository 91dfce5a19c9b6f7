import { Fragment, useState } from 'react';
import { useStore } from '../session/session.ts';
import { useCell } from '../session/use-cell.ts';
import styles from './emoji-sign.module.css';
import { customName, splitAtEmoji } from './written-emoji.ts';

/** An emoji as it is shown: a custom one, `:name:`, as its picture. */
export function EmojiSign({ emoji }: { emoji: string }) {
  const name = customName(emoji);
  return name === undefined ? emoji : <Picture name={name} written={emoji} />;
}

/** A text with the pictures of the custom emoji in it. */
export const EmojiText = ({ text }: { text: string }) =>
  // The pieces of a text stay at their places while it grows.
  splitAtEmoji(text).map((piece, at) => (
    <Fragment key={at}>{at % 2 === 1 ? <EmojiSign emoji={piece} /> : piece}</Fragment>
  ));

/** Its name, as written, while it is not known and if it was deleted. */
function Picture({ name, written }: { name: string; written: string }) {
  const url = useCell(useStore().emoji(name))?.url;
  const [missing, setMissing] = useState<string | undefined>(undefined);
  if (url === undefined || url === missing) return written;
  return (
    <img
      className={styles['picture']}
      src={url}
      alt={written}
      title={written}
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setMissing(url)}
    />
  );
}
