import { EdgeHeader } from "../contract/edge.ts";
import { DomainError } from "../domain/errors.ts";

/** Distinguishes the distribution's requests from those that bypass it. */
export interface OriginVerifier {
  /** @throws {DomainError} `service_unavailable` when the secret cannot be read now. */
  verify(originSecret: string): Promise<boolean>;
}

/** Only the distribution is trusted for the address. @throws {DomainError} `route_not_found` for any other request */
export async function viewerAddress(
  verifier: OriginVerifier,
  headers: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const secret = headers[EdgeHeader.originSecret];
  if (secret === undefined || !(await verifier.verify(secret))) {
    throw new DomainError(
      "route_not_found",
      "nothing is served at this address; use the service's host name",
    );
  }
  return headers[EdgeHeader.viewerAddress]?.replace(/:\d+$/, "") ?? "unknown";
}
