export type Phases = {
  readonly run: <T>(name: string, work: () => Promise<T> | T) => Promise<T>;
};

/**
 * @param onBegin is given each phase's name.
 * @param tell is given each phase's own time, and the time since the start.
 */
export function createPhases(
  onBegin: ((name: string) => void) | undefined,
  tell: ((text: string) => void) | undefined,
): Phases {
  const startedAt = performance.now();
  return {
    run: async (name, work) => {
      onBegin?.(name);
      const beganAt = performance.now();
      const result = await work();
      const now = performance.now();
      tell?.(`${name}: ${Math.round(now - beganAt)} ms (at ${Math.round(now - startedAt)} ms)`);
      return result;
    },
  };
}
