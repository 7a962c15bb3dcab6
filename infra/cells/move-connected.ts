import { type MovedDrivers, moveDrivers } from "../../shared/domain/connection/move-drivers.ts";
import type { OrganizationId } from "../../shared/domain/organization-id.ts";
import type { SocketGateway } from "../../shared/domain/tunnel/socket-gateway.ts";
import { systemClock } from "../../shared/runtime/system.ts";
import { DynamoConnectionStore } from "../../shared/storage/connection/dynamo-connection-store.ts";
import { DynamoMachineStore } from "../../shared/storage/machine/dynamo-machine-store.ts";
import { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import { createApiGatewaySocketGateway } from "../../shared/tunnel/api-gateway-socket-gateway.ts";
import { GatewayDismissal } from "../../shared/tunnel/gateway-dismissal.ts";
import type { OpenedTable } from "../operator/open-table.ts";

const suffixOf = (region: string): string =>
  region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";

export async function moveConnected(
  { client, tableName }: OpenedTable,
  organizationId: OrganizationId,
  address: string,
): Promise<MovedDrivers> {
  const clock = systemClock;
  const stored = { table: new DynamoTable({ client, tableName, clock }), clock };
  const connections = new DynamoConnectionStore(stored);
  const listed = await connections.listConnected(organizationId);
  const [host] = new Set(listed.map((connection) => connection.host));
  if (host === undefined) return { moved: [], busy: [], waiting: [] };
  return await moveDrivers(
    {
      connections: {
        listConnected: async () => listed,
        find: async (organization, id) => await connections.find(organization, id),
        close: async (connection, nowMs) => await connections.close(connection, nowMs),
      },
      machines: new DynamoMachineStore(stored),
      dismissal: new GatewayDismissal(socketsOf(host)),
      clock,
    },
    organizationId,
    address,
  );
}

/** A connection's host is `{api}/{stage}/{region}`, which is where its messages are posted. */
function socketsOf(host: string): SocketGateway {
  const [api, stage, region = ""] = host.split("/");
  const callbackUrl = `https://${api}.execute-api.${region}.${suffixOf(region)}/${stage}`;
  return createApiGatewaySocketGateway({ callbackUrl, region, clock: systemClock });
}
