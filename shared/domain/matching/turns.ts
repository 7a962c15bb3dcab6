/** A queue that serves its keys in turn, so that a key with a hundred entries does not delay the others. */
export class Turns<T> {
  readonly #byKey = new Map<string, T[]>();

  push(key: string, value: T): void {
    const values = this.#byKey.get(key);
    if (values === undefined) this.#byKey.set(key, [value]);
    else values.push(value);
  }

  shift(): T | undefined {
    const [first] = this.#byKey;
    if (first === undefined) return undefined;
    const [key, values] = first;
    const value = values.shift();
    this.#byKey.delete(key);
    if (values.length > 0) this.#byKey.set(key, values);
    return value;
  }
}
