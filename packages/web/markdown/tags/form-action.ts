import { createContext } from 'react';
import type { ActionState } from './use-action.ts';

/** The form around a button. */
export const FormActionContext = createContext<{ readonly state: ActionState; readonly canSend: boolean } | null>(null);
