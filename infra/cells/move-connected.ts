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
  const machines = new DynamoMachineStore(stored);
  const listed = await connections.listConnected(organizationId);
  const found: MovedDrivers[] = [];
  for (const host of new Set(listed.map((connection) => connection.host))) {
    const deps = { connections, machines, dismissal: new GatewayDismissal(socketsOf(host)), clock };
    const ofHost = listed.filter((connection) => connection.host === host);
    found.push(await moveDrivers(deps, ofHost, address));
  }
  return {
    moved: found.flatMap(({ moved }) => moved),
    busy: found.flatMap(({ busy }) => busy),
    waiting: found.flatMap(({ waiting }) => waiting),
  };
}

/** A connection's host is `{api}/{stage}/{region}`, which is where its messages are posted. */
function socketsOf(host: string): SocketGateway {
  const [api, stage, region = ""] = host.split("/");
  const callbackUrl = `https://${api}.execute-api.${region}.${suffixOf(region)}/${stage}`;
  return createApiGatewaySocketGateway({ callbackUrl, region, clock: systemClock });
}
