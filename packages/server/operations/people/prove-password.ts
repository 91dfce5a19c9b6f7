import type { Caller } from '../../call.ts';
import { forbidden } from '../../errors.ts';
import { passwords } from '../../secrets/passwords.ts';
import type { Service } from '../../service.ts';
import { accountByKey } from '../../store/accounts.ts';

export const wrongPassword = () => forbidden('the password is wrong');

/** The stored form of the caller's password, if this is it; 403 for a wrong one, and for whoever has none. */
export async function provePassword(
  { read }: Pick<Service, 'read'>,
  caller: Caller | null,
  password: string,
): Promise<string> {
  const account = caller ? await read.get(accountByKey, caller.key) : undefined;
  if (!account || account.password_hash === null) throw forbidden('this account has no password');
  if (!(await passwords.verify(password, account.password_hash))) throw wrongPassword();
  return account.password_hash;
}
