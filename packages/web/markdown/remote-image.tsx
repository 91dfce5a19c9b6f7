import { ImageDown } from 'lucide-react';
import { useState } from 'react';
import { hostOf, isOwnFile } from './addresses.ts';
import styles from './remote-image.module.css';

/** A picture of another host, which would learn who looks at it, is loaded when somebody asks for it. */
export function RemoteImage({ url, alt }: { url: string; alt: string }) {
  const [state, setState] = useState<'asked' | 'shown' | 'failed'>(isOwnFile(url) ? 'shown' : 'asked');
  if (state === 'shown')
    return (
      <img
        className={styles['image']}
        src={url}
        alt={alt}
        title={alt}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        onError={() => setState('failed')}
      />
    );
  const host = hostOf(url) || 'this service';
  return (
    <button type="button" className={styles['placeholder']} onClick={() => setState('shown')} title={url}>
      <ImageDown />
      <span>
        {alt === '' ? null : <span className={styles['alt']}>{alt}</span>}
        <span className={styles['host']}>
          {state === 'failed' ? `Not loaded from ${host}. Try again` : `Show the picture from ${host}`}
        </span>
      </span>
    </button>
  );
}
