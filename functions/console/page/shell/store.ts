import { useEffect, useState } from "preact/hooks";

/** A value that parts of the page show, wherever they are. */
export interface Store<Value> {
  get(): Value;
  set(value: Value): void;
  /** @returns a function that ends it. */
  subscribe(listener: () => void): () => void;
}

export function createStore<Value>(first: Value): Store<Value> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export function useStore<Value>(store: Store<Value>): Value {
  const [value, setValue] = useState(store.get);
  useEffect(() => {
    const update = () => setValue(() => store.get());
    // It may have changed since the part was rendered.
    update();
    return store.subscribe(update);
  }, [store]);
  return value;
}
