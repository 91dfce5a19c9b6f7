import { language } from './language.ts';

/** The provider of the built-in guide, and the username of the account of the service itself. */
export const SERVICE = 'parley';

export const GUIDE = `${SERVICE}:guide`;

/** The help for people who do not program, in the language of the app. */
export const HELP = `/help/${language}`;
