/**
 * `stop` makes the deployment fail, `ask` lets it run with less than it is meant to have, and `unknown` is what these
 * credentials may not see.
 */
export interface Finding {
  readonly kind: "ok" | "ask" | "stop" | "unknown";
  readonly sentence: string;
}

export const ok = (sentence: string): Finding => ({ kind: "ok", sentence });
export const ask = (sentence: string): Finding => ({ kind: "ask", sentence });
export const stop = (sentence: string): Finding => ({ kind: "stop", sentence });

/** A check that AWS refuses says so, and the others go on. */
export async function orUnknown(
  what: string,
  check: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    return [{ kind: "unknown", sentence: `${what} could not be read: ${messageOf(error)}` }];
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

export function isNamed(error: unknown, ...names: readonly string[]): boolean {
  return error instanceof Error && names.includes(error.name);
}
