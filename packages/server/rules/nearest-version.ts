/** The version that takes the place of a deleted one: the one before it, otherwise the one after it (REGEN-4). */
export const nearestVersion = <Version extends { readonly key: number }>(
  left: readonly Version[],
  deleted: number,
): Version | undefined => left.findLast(({ key }) => key < deleted) ?? left.find(({ key }) => key > deleted);
