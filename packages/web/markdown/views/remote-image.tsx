import { hostOf, isOwnFile } from '@parley/markdown';
import { ImageDown } from 'lucide-react';
import styles from './remote-image.module.css';
import { t } from '../../words/t.ts';

/**
 * An image in a message. Images from other hosts are not loaded, because those would learn who reads the message: a
 * click opens them in a new tab (WEB-2).
 */
export function RemoteImage({ url, alt }: { url: string; alt: string }) {
  if (isOwnFile(url))
    return <img className={styles['image']} src={url} alt={alt} title={alt} loading="lazy" decoding="async" />;
  return (
    <a className={styles['placeholder']} href={url} target="_blank" rel="noopener noreferrer nofollow" title={url}>
      <ImageDown />
      <span>
        {alt === '' ? null : <span className={styles['alt']}>{alt}</span>}
        <span className={styles['host']}>{t('Open the picture from {host}', { host: hostOf(url) })}</span>
      </span>
    </a>
  );
}
