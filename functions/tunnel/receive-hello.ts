import {
  type HelloMessage,
  machineSecretCapability,
  tunnelMessageBytesMax,
  tunnelProtocol,
} from "../../shared/contract/tunnel.ts";
import { activateConnection } from "../../shared/domain/connection/activate-connection.ts";
import type { Connection } from "../../shared/domain/connection/connection.ts";
import { machineSecretDigest } from "../../shared/tunnel/machine-secret.ts";
import { encodeMessage, tunnelError } from "../../shared/tunnel/message-codec.ts";
import { type DriverCapability, driverCapabilities } from "../../shared/vocabulary/drivers.ts";
import type { TunnelDeps } from "./tunnel-deps.ts";

export async function receiveHello(
  deps: TunnelDeps,
  connection: Connection,
  hello: HelloMessage,
): Promise<void> {
  const { websocketId } = connection;
  if (hello.protocol !== tunnelProtocol) {
    const refusal = tunnelError("unsupported_protocol", `this service speaks protocol ${tunnelProtocol}`);
    await deps.sockets.post(websocketId, encodeMessage(refusal));
    return;
  }
  const facts = {
    ...(hello.hostname !== undefined && { hostname: hello.hostname }),
    ...(hello.os_info !== undefined && { osInfo: hello.os_info }),
    ...(hello.version !== undefined && { version: hello.version }),
    capabilities: driverCapabilities.filter((name) => hello.capabilities.includes(name)),
    programs: programsOf(hello),
  };
  const secret = hello.capabilities.includes(machineSecretCapability) ? deps.newMachineSecret() : null;
  const activation = await activateConnection(deps, connection, facts, secret && machineSecretDigest(secret));
  const { organizationId, machineId, id } = connection;
  deps.logger.info(activation.kind === "active" ? "driver connected" : "driver not connected", {
    organization_id: organizationId,
    machine_id: machineId,
    connection_id: id,
    ...(activation.kind === "active" &&
      activation.superseded && { superseded_connection_id: activation.superseded.id }),
  });
  if (activation.kind === "ended") return;
  const welcome = encodeMessage({
    type: "welcome",
    protocol: tunnelProtocol,
    machine_id: connection.machineId,
    organization_id: connection.organizationId,
    transfer_hosts: [deps.transferHost],
    ...(secret !== null &&
      activation.givesSecret && { machine_secret: secret, connection_id: connection.id }),
    ping_seconds: deps.pingSeconds,
    message_bytes_max: tunnelMessageBytesMax,
  });
  const delivery = await deps.sockets.post(websocketId, welcome);
  if (delivery.kind === "gone") await deps.connections.close(connection, deps.clock.now());
  if (activation.superseded) await deps.dismissal.dismiss(activation.superseded.websocketId, "superseded");
}

const openProgram: DriverCapability = "open_program";

function programsOf({ capabilities, programs = [] }: HelloMessage): readonly string[] {
  return capabilities.includes(openProgram) ? [...new Set(programs)] : [];
}
