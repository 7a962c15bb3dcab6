import type { Caller } from "../../shared/domain/access/caller.ts";
import { callerOfKey } from "../../shared/domain/access/credentials.ts";
import { DomainError } from "../../shared/domain/errors.ts";
import { parseTicket, type TicketName } from "../../shared/tunnel/ticket-text.ts";
import type { TunnelDeps } from "./tunnel-deps.ts";

/** A genuine ticket may still have been used, which shows when it is redeemed. */
export type DriverCredentials =
  | { readonly kind: "key"; readonly caller: Caller }
  | { readonly kind: "ticket"; readonly name: TicketName };

/** What redeemed or verified credentials allow. */
export interface AdmittedDriver {
  readonly caller: Caller;
  /** The only machine that they are valid for; null: any. */
  readonly onlyMachineId: string | null;
  /** The only peer that they are valid for; null: any. */
  readonly onlyRemotePeerId: string | null;
}

/**
 * Reads `Bearer <machine API key>` or `Ticket <ticket>`.
 *
 * @throws {DomainError} `missing_credentials` or `invalid_credentials`.
 */
export async function readCredentials(
  deps: TunnelDeps,
  authorization: string | undefined,
): Promise<DriverCredentials> {
  if (authorization === undefined || authorization.trim() === "") {
    throw new DomainError(
      "missing_credentials",
      "credentials are needed: Authorization: Bearer <API key>, or Ticket <ticket>",
    );
  }
  const [, scheme = "", text = ""] = /^(\S+) +(\S+) *$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() === "bearer") {
    const key = await deps.keyVerifier.verify(text);
    if (key) return { kind: "key", caller: callerOfKey(key) };
  }
  if (scheme.toLowerCase() === "ticket") {
    const name = await parseTicket(deps.signer, text);
    if (name) return { kind: "ticket", name };
  }
  throw rejected();
}

/**
 * Redeems a ticket; a key needs no further step.
 *
 * @throws {DomainError} `invalid_credentials` for a ticket that is used, expired, or whose key is revoked.
 */
export async function admit(deps: TunnelDeps, credentials: DriverCredentials): Promise<AdmittedDriver> {
  if (credentials.kind === "key") {
    return { caller: credentials.caller, onlyMachineId: null, onlyRemotePeerId: null };
  }
  const ticket = await deps.tickets.redeem(credentials.name.tokenId, credentials.name.nonce);
  const key = ticket && (await deps.keys.find(ticket.keyId));
  if (!key || key.revokedAt !== null || key.organizationId !== ticket.organizationId) throw rejected();
  return {
    caller: callerOfKey(key),
    onlyMachineId: ticket.machineId,
    onlyRemotePeerId: ticket.remotePeerId,
  };
}

function rejected(): DomainError {
  return new DomainError("invalid_credentials", "the credentials are not valid, or not any more");
}
