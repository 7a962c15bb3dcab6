export type Given<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Drops fields that were not sent, so that absent and undefined are the same. */
export function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail> & string>}`
  : Name;

export type InCamelCase<T> = { [Name in keyof T as CamelCase<Name>]: T[Name] };

/** Values inside the fields stay as they are. */
export function inCamelCase<T extends object>(fields: T): InCamelCase<T> {
  const renamed = Object.entries(fields).map(([name, value]) => [
    name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(renamed) as InCamelCase<T>;
}
