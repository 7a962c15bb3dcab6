/** `lazy-schemas.ts` puts this around the schemas of bundles; no source calls it. */
export function lazily<Schema extends object>(make: () => Schema): Schema {
  let made: Schema | undefined;
  const schema = (): Schema => {
    made ??= make();
    return made;
  };
  return new Proxy({} as Schema, {
    get: (_, name) => Reflect.get(schema(), name),
    set: (_, name, value) => Reflect.set(schema(), name, value),
    has: (_, name) => Reflect.has(schema(), name),
    getPrototypeOf: () => Reflect.getPrototypeOf(schema()),
    ownKeys: () => Reflect.ownKeys(schema()),
    getOwnPropertyDescriptor: (_, name) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(schema(), name);
      return descriptor && { ...descriptor, configurable: true };
    },
  });
}
