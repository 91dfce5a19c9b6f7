import { language } from './language.ts';

/** The provider of the built-in guide, and the username of the account of the service itself. */
export const SERVICE = 'parley';

export const GUIDE = `${SERVICE}:guide`;

/** The agent that everyone may ask at the cost of the service, where there is one (HOUSE-1). */
export const HOUSE = `${SERVICE}:house`;

/** The help for people who do not program, in the language of the app. */
export const HELP = `/help/${language}`;
