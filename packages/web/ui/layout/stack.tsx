import type { ReactNode } from 'react';

/** What stands below each other, as wide as its place. */
export const Stack = ({ children }: { children: ReactNode }) => <div className="ui-wide">{children}</div>;
