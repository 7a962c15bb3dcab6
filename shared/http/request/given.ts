export type Given<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Drops fields that were not sent, so that absent and undefined are the same. */
export function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}
