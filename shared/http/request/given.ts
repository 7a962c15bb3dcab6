export type Given<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Without the fields that were not sent, so that absent and undefined cannot differ. */
export function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}
