import { TunnelHeader } from "../../shared/contract/tunnel.ts";
import { openConnection } from "../../shared/domain/connection/open-connection.ts";
import { connectViewer } from "../../shared/domain/live/connect-viewer.ts";
import { limitRefusals } from "../../shared/http/access/limit-refusals.ts";
import { liveTicketDigest } from "../../shared/tunnel/live-ticket-text.ts";
import { machineSecretDigest } from "../../shared/tunnel/machine-secret.ts";
import { admit, readCredentials } from "./authenticate-driver.ts";
import { presentRefusal } from "./present-refusal.ts";
import { findHeader, readHandshake } from "./read-handshake.ts";
import type { TunnelDeps } from "./tunnel-deps.ts";
import type { TunnelEvent, TunnelResult } from "./tunnel-event.ts";

const userAgentCharactersMax = 255;

/** Every refusal has its status; any other failure is a 500. */
export async function connect(deps: TunnelDeps, event: TunnelEvent): Promise<TunnelResult> {
  try {
    const ticket = event.queryStringParameters?.ticket;
    if (ticket === undefined) await letIn(deps, event);
    else await letViewerIn(deps, event, ticket);
    return { statusCode: 200 };
  } catch (error) {
    return presentRefusal(deps, error);
  }
}

/** Whatever the headers say: a driver has no such parameter, and a browser cannot send a driver's headers. */
async function letViewerIn(deps: TunnelDeps, { requestContext }: TunnelEvent, ticket: string): Promise<void> {
  const { connectionId: websocketId, identity } = requestContext;
  const viewer = await limitRefusals(deps, { name: "connect", address: identity.sourceIp }, () =>
    connectViewer(deps, { digest: liveTicketDigest(ticket), websocketId }),
  );
  const { organizationId, principal } = viewer;
  deps.logger.info("viewer let in", { organization_id: organizationId, principal });
}

async function letIn(deps: TunnelDeps, event: TunnelEvent): Promise<void> {
  const { requestContext } = event;
  const address = requestContext.identity.sourceIp;
  const { handshake, driver } = await limitRefusals(deps, { name: "connect", address }, async () => {
    const credentials = await readCredentials(deps, findHeader(event, TunnelHeader.authorization));
    // The headers are read before the ticket is redeemed, so that a malformed request can be corrected and retried.
    const handshake = readHandshake(event);
    return { handshake, driver: await admit(deps, credentials, handshake) };
  });
  const userAgent = requestContext.identity.userAgent ?? findHeader(event, "user-agent") ?? "";
  const connection = await openConnection(deps, driver.caller, {
    fingerprint: handshake.fingerprint,
    websocketId: requestContext.connectionId,
    host: `${requestContext.apiId}/${requestContext.stage}/${deps.region}`,
    ipAddress: address,
    userAgent: userAgent.slice(0, userAgentCharactersMax),
    remotePeerId: driver.remotePeerId,
    shownSecretDigest: handshake.machineSecret && machineSecretDigest(handshake.machineSecret),
    facts: handshake.facts,
    keepaliveFor: handshake.keepaliveFor,
  });
  deps.logger.info("driver let in", {
    organization_id: connection.organizationId,
    machine_id: connection.machineId,
    connection_id: connection.id,
    principal: connection.keyId,
  });
}
