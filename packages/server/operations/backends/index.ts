// What the backends of other products may do for their own users.
import createUserToken from './createUserToken.ts';
import deleteUser from './deleteUser.ts';
import exchangeUserToken from './exchangeUserToken.ts';

export const backendHandlers = { createUserToken, deleteUser, exchangeUserToken };
