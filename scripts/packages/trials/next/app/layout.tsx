import '@parley/react/styles.css';
import type { ReactNode } from 'react';

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" style={{ colorScheme: 'light dark' }}>
      <body>{children}</body>
    </html>
  );
}
