import { useEffect, useState } from 'react';
import styles from './qr-code.module.css';

/** A text as a picture for cameras. Dark on light in both themes: many cameras read no other. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const [rows, setRows] = useState<readonly (readonly boolean[])[]>([]);
  useEffect(() => {
    let isCurrent = true;
    void import('uqr').then(({ encode }) => isCurrent && setRows(encode(text, { border: 2 }).data));
    return () => {
      isCurrent = false;
    };
  }, [text]);
  const size = rows.length;
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join('');
  return (
    <svg className={styles['code']} viewBox={`0 0 ${size || 1} ${size || 1}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
}
