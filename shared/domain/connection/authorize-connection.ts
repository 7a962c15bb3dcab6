import type { ViewerRefusal } from "../../vocabulary/machines.ts";
import type { ApiKey } from "../access/api-key.ts";
import { callerOfKey, type KeyVerifier } from "../access/credentials.ts";
import { type DesktopToken, parseDesktopToken } from "../access/desktop-token.ts";
import type { Clock, Ids } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { MachineStore } from "../machine/machine-store.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Signer } from "../signer.ts";
import type { Ticket, TicketStore } from "../tunnel/ticket-store.ts";

const ticketSeconds = 60;

export interface AuthorizeConnectionDeps {
  readonly keys: KeyVerifier;
  readonly machines: Pick<MachineStore, "find">;
  readonly tickets: TicketStore;
  readonly signer: Signer;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface AuthorizeConnectionInput {
  readonly desktopToken: string;
  readonly machineApiKey: string;
  readonly selectedOrganizationId?: string | undefined;
  readonly machineId?: string | undefined;
  readonly remotePeerId?: string | undefined;
}

export interface ConnectionAuthorization {
  readonly reason: ViewerRefusal | null;
  readonly organizationId: OrganizationId;
  readonly machineId: string | null;
  /** Null means that the driver's key may not open tunnels. */
  readonly ticket: Ticket | null;
}

/**
 * The same token returns the same ticket while it is unused.
 *
 * @throws {DomainError} `invalid_credentials` for a bad token or key, or a used ticket; `not_found` for the machine.
 */
export async function authorizeConnection(
  deps: AuthorizeConnectionDeps,
  input: AuthorizeConnectionInput,
): Promise<ConnectionAuthorization> {
  const token = await parseDesktopToken(deps, input.desktopToken);
  const key = await deps.keys.verify(input.machineApiKey);
  if (!key) throw new DomainError("invalid_credentials", "the machineApiKey is not a valid key");
  const machineId = input.machineId ?? null;
  if (machineId && !(await deps.machines.find(key.organizationId, machineId))) {
    throw new DomainError("not_found", `there is no machine ${machineId}`);
  }
  return {
    reason: refusalReason(token, key, input),
    organizationId: key.organizationId,
    machineId,
    ticket: await issueTicket(deps, token, key, machineId),
  };
}

function refusalReason(
  token: DesktopToken,
  key: ApiKey,
  input: AuthorizeConnectionInput,
): ViewerRefusal | null {
  if (!token.viewer) return "viewer_not_authenticated";
  const selected = [token.selectedOrganizationId, input.selectedOrganizationId ?? null];
  const organizations = [token.viewer.organizationId, ...selected.filter((id) => id !== null)];
  if (organizations.some((id) => id !== key.organizationId)) return "organization_mismatch";
  if (input.remotePeerId !== token.remotePeerId) return "peer_mismatch";
  return null;
}

async function issueTicket(
  deps: AuthorizeConnectionDeps,
  token: DesktopToken,
  key: ApiKey,
  machineId: string | null,
): Promise<Ticket | null> {
  if (!callerOfKey(key).scopes.some((scope) => scope === "driver" || scope === "write")) return null;
  const outcome = await deps.tickets.issue({
    tokenId: token.id,
    nonce: deps.ids.uuid7(),
    organizationId: key.organizationId,
    keyId: key.id,
    machineId,
    remotePeerId: token.remotePeerId,
    expiresAtMs: deps.clock.now() + ticketSeconds * 1_000,
  });
  if (outcome.kind === "used") {
    throw new DomainError(
      "invalid_credentials",
      "the ticket of this desktopToken has been used; request a new token",
    );
  }
  // A ticket opens a tunnel with the key that it was issued for: nobody else may see it.
  if (outcome.ticket.keyId !== key.id || outcome.ticket.machineId !== machineId) {
    throw new DomainError(
      "invalid_credentials",
      "this desktopToken was shown with another key or machine before",
    );
  }
  return outcome.ticket;
}
