/**
 * The page loads scripts and styles only from here, and talks only to the service.
 *
 * @param reached are addresses elsewhere that it talks to as well: the tunnel's, the bucket's, and that of the issuer's
 * tokens.
 */
export function policyOf(reached: readonly (string | undefined)[]): string {
  const origins = reached.flatMap((address) => (address === undefined ? [] : [new URL(address).origin]));
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    `connect-src ${["'self'", ...origins].join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}
