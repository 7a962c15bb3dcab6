export type Phases = {
  readonly run: <T>(name: string, work: () => Promise<T> | T) => Promise<T>;
};

/** @param tell is given each phase's own time, and the time since the start. */
export function createPhases(tell: ((text: string) => void) | undefined): Phases {
  const startedAt = performance.now();
  return {
    run: async (name, work) => {
      const beganAt = performance.now();
      const result = await work();
      const now = performance.now();
      tell?.(`${name}: ${Math.round(now - beganAt)} ms (at ${Math.round(now - startedAt)} ms)`);
      return result;
    },
  };
}
