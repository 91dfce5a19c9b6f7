/** A file that opens only with a password, or whose content is not what its type says. */
export class OfficeFailure extends Error {
  readonly isLocked: boolean;

  constructor(isLocked: boolean) {
    super(isLocked ? 'the file needs a password' : 'the file cannot be read');
    this.isLocked = isLocked;
  }
}
