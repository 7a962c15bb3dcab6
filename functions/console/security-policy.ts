export interface ReachedAddresses {
  /** Hints arrive over this socket. */
  readonly websocketUrl: string;
}

/** The page loads scripts and styles only from here, and talks only to the service. */
export function policyOf({ websocketUrl }: ReachedAddresses): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    `connect-src 'self' ${new URL(websocketUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}
