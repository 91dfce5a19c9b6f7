import { createContext } from 'react';
import type { ActionState } from './use-action.ts';

/** The form in which a button stands. */
export const FormActionContext = createContext<{ readonly state: ActionState; readonly canSend: boolean } | null>(null);
