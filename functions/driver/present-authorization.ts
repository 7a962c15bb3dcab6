import type * as z from "zod";
import type {
  ConnectionAuthorization as AuthorizationBody,
  ConnectionToken,
} from "../../shared/contract/driver-authorization.ts";
import { type DesktopToken, formatDesktopToken } from "../../shared/domain/access/desktop-token.ts";
import type { ConnectionAuthorization } from "../../shared/domain/connection/authorize-connection.ts";
import type { Signer } from "../../shared/domain/signer.ts";
import { formatTicket } from "../../shared/tunnel/ticket-text.ts";

export interface TicketOffice {
  readonly signer: Signer;
  readonly websocketUrl: string;
}

export async function presentConnectionToken(
  { signer }: Pick<TicketOffice, "signer">,
  token: DesktopToken,
): Promise<z.infer<typeof ConnectionToken>> {
  return { desktopToken: await formatDesktopToken(signer, token), expiresAt: token.expiresAtSeconds };
}

export async function presentAuthorization(
  office: TicketOffice,
  { reason, organizationId, machineId, ticket }: ConnectionAuthorization,
): Promise<z.infer<typeof AuthorizationBody>> {
  return {
    allowed: reason === null,
    reason,
    organization_id: organizationId,
    machine_id: machineId,
    ...(ticket && {
      tunnel: {
        url: office.websocketUrl,
        ticket: await formatTicket(office.signer, ticket),
        expiresAt: Math.floor(ticket.expiresAtMs / 1_000),
      },
    }),
  };
}
