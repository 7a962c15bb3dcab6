import { isUsable } from "../../shared/domain/access/api-key.ts";
import type { Caller } from "../../shared/domain/access/caller.ts";
import { callerOfKey } from "../../shared/domain/access/credentials.ts";
import { DomainError } from "../../shared/domain/errors.ts";
import { parseTicket, type TicketName } from "../../shared/tunnel/ticket-text.ts";
import type { Handshake } from "./read-handshake.ts";
import type { TunnelDeps } from "./tunnel-deps.ts";

/** A genuine ticket may still have been used, which shows when it is redeemed. */
export type DriverCredentials =
  | { readonly kind: "key"; readonly caller: Caller }
  | { readonly kind: "ticket"; readonly name: TicketName };

export interface AdmittedDriver {
  readonly caller: Caller;
  readonly remotePeerId: string;
}

/** @throws {DomainError} `missing_credentials` or `invalid_credentials`. */
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

/** Refuses a ticket of another driver before it is used up. @throws {DomainError} `invalid_credentials` */
export async function admit(
  deps: TunnelDeps,
  credentials: DriverCredentials,
  { fingerprint, remotePeerId }: Handshake,
): Promise<AdmittedDriver> {
  if (credentials.kind === "key") return { caller: credentials.caller, remotePeerId: remotePeerId ?? "" };
  const { tokenId, nonce } = credentials.name;
  const ticket = await deps.tickets.find(tokenId, nonce);
  const key = ticket && (await deps.keys.find(ticket.keyId));
  const isGood = key && isUsable(key, deps.clock.now()) && key.organizationId === ticket.organizationId;
  if (!isGood) throw rejected();
  if (remotePeerId !== null && remotePeerId !== ticket.remotePeerId) {
    throw new DomainError("invalid_credentials", "the ticket is for another peer");
  }
  if (ticket.machineId !== null) {
    const machine = await deps.machines.findByFingerprint(ticket.organizationId, fingerprint);
    if (machine?.id !== ticket.machineId) {
      throw new DomainError("invalid_credentials", "the ticket is for another machine");
    }
  }
  if (!(await deps.tickets.redeem(tokenId, nonce))) throw rejected();
  return { caller: callerOfKey(key), remotePeerId: ticket.remotePeerId };
}

function rejected(): DomainError {
  return new DomainError(
    "invalid_credentials",
    "the key or ticket is unknown here, has expired, or was deleted or used",
  );
}
