import { type Attributes, hostOf, imageAddress, linkAddress } from '@parley/markdown';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { RemoteImage } from '../views/remote-image.tsx';
import { attribute, otherRows } from './tag-values.ts';
import styles from './tags.module.css';
import { t } from '../../words/t.ts';

const shown = [
  'title',
  'primary',
  'subtitle',
  'body',
  'text',
  'description',
  'image',
  'image_url',
  'url',
  'href',
  'footer',
  'by',
];

export function Card({ attributes, children }: { attributes: Attributes; children: ReactNode }) {
  const title = attribute(attributes, 'title', 'primary');
  const subtitle = attribute(attributes, 'subtitle');
  const body = attribute(attributes, 'body', 'text', 'description');
  const by = attribute(attributes, 'by');
  const footer = [attribute(attributes, 'footer'), by === '' ? '' : t('by {name}', { name: by })]
    .filter((text) => text !== '')
    .join(' · ');
  const image = attribute(attributes, 'image', 'image_url');
  const imageUrl = image === '' ? undefined : imageAddress(image);
  return (
    <div role="group" className={styles['card']} aria-label={title === '' ? undefined : title}>
      {title === '' ? null : <p className={styles['title']}>{title}</p>}
      {subtitle === '' ? null : <p className={styles['subtitle']}>{subtitle}</p>}
      {image === '' ? null : imageUrl === undefined ? <p>{image}</p> : <RemoteImage url={imageUrl} alt={title} />}
      {body === '' ? null : <p className={styles['text']}>{body}</p>}
      {children}
      <Rows rows={otherRows(attributes, shown)} />
      <CardLink address={attribute(attributes, 'url', 'href')} />
      {footer === '' ? null : <p className={styles['footer']}>{footer}</p>}
    </div>
  );
}

/** A list of names and values. */
export function Rows({ rows }: { rows: readonly [name: string, text: string][] }) {
  if (rows.length === 0) return null;
  return (
    <dl className={styles['rows']}>
      {rows.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A card's link; an address that is not http(s) stays text. */
export function CardLink({ address }: { address: string }) {
  if (address === '') return null;
  const url = linkAddress(address);
  if (url === undefined) return <p className={styles['subtitle']}>{address}</p>;
  return (
    <a className={styles['link']} href={url} target="_blank" rel="noopener noreferrer nofollow" title={url}>
      <ExternalLink />
      {hostOf(url) || address}
    </a>
  );
}
