import { createContext, use } from 'react';

/** Opens the profile of a person or an agent. */
export type OpenProfile = (username: string) => void;

export const OpenProfileContext = createContext<OpenProfile | null>(null);

/** The function never changes; null where there are no profiles, such as in the widget. */
export const useOpenProfile = (): OpenProfile | null => use(OpenProfileContext);
