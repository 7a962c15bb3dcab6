import { GetAccountCommand } from "@aws-sdk/client-api-gateway";
import type { Settings } from "../../settings.ts";
import type { Account } from "../account.ts";
import { ask, type Finding, ok, stop } from "../finding.ts";

export async function checkLogRole(
  { apiGateway }: Pick<Account, "apiGateway">,
  settings: Pick<Settings, "deployment" | "webSocketAccessLogs" | "apiGatewayLogRole">,
): Promise<readonly Finding[]> {
  if (!settings.webSocketAccessLogs && !settings.apiGatewayLogRole) return [];
  const { cloudwatchRoleArn: role = "" } = await apiGateway.send(new GetAccountCommand({}));
  const isOwn = role.includes(`/das-${settings.deployment}-service-`);
  if (settings.apiGatewayLogRole) {
    if (role === "" || isOwn) return [ok("API Gateway's log role is this deployment's")];
    return [ask(`API Gateway logs by ${role} here, which apiGatewayLogRole would replace: leave it false`)];
  }
  if (role !== "") return [ok(`API Gateway logs by ${role}`)];
  return [
    stop(
      "webSocketAccessLogs needs the Region's API Gateway log role, and there is none: set apiGatewayLogRole, in one deployment of the Region",
    ),
  ];
}
