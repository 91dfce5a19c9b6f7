/** One attempt to give the password of an account, which may not exist. */
export interface PasswordTry {
  username: string;
  address: string;
  /**
   * The source of the attempt: a stranger, a device that has signed in to this account before (`id` is the hash of its
   * token), or a session of the account. Each has its own pause, so that a stranger's wrong passwords delay only
   * strangers.
   */
  from: { type: 'stranger' } | { type: 'device'; id: string } | { type: 'session'; id: string };
}

/** The port that counts attempts (LIMIT-2, AUTH-19). */
export interface PasswordTries {
  /** Counts an attempt before its password is checked. Above the limit, throws rate_limited and counts nothing. */
  admitPassword(attempt: PasswordTry, now: number): Promise<void>;
  /** Takes back an attempt whose password could not be checked. */
  uncountTry(attempt: PasswordTry, triedAt: number): Promise<void>;
  /** Ends the pause; called after a right password. */
  clearPause(attempt: PasswordTry): Promise<void>;
}
