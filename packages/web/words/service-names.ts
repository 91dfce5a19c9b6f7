/** The provider of the built-in guide, and the username of the account of the service itself. */
export const SERVICE = 'parley';

export const GUIDE = `${SERVICE}:guide`;
