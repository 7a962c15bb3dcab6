interface Attempt {
  readonly status_code: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
}

/** Such as "204 after 31 ms", or "timeout after 15000 ms". */
export function outcomeOf(attempt: Attempt | undefined): string {
  if (attempt === undefined) return "";
  const { status_code, error, duration_ms } = attempt;
  return `${status_code ?? (error ?? "no response").replaceAll("_", " ")} after ${duration_ms} ms`;
}
