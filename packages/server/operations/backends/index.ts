// What the backends of other products may do for their own users.
import createUserToken from './createUserToken.ts';
import deleteUser from './deleteUser.ts';

export const backendHandlers = { createUserToken, deleteUser };
