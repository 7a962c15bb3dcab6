import {
  GetAWSDefaultServiceQuotaCommand,
  GetServiceQuotaCommand,
  type ServiceQuotasClient,
} from "@aws-sdk/client-service-quotas";
import type { Settings } from "../../settings.ts";
import type { Account } from "../account.ts";
import { ask, type Finding, isNamed, ok } from "../finding.ts";

export interface Quota {
  readonly service: string;
  readonly code: string;
  readonly name: string;
}

interface NeededQuota extends Quota {
  readonly needed: number;
  readonly why: string;
}

/**
 * Sources: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html and
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html
 */
function neededQuotas({ throttleRate }: Pick<Settings, "throttleRate">): readonly NeededQuota[] {
  return [
    {
      service: "apigateway",
      code: "L-8A5B8E43",
      name: "Throttle rate",
      needed: throttleRate,
      why: "throttleRate",
    },
    {
      service: "apigateway",
      code: "L-9ED1E49A",
      name: "New WebSocket connections per second",
      needed: Math.ceil(throttleRate / 10),
      why: "a tenth of throttleRate, drivers' handshakes",
    },
  ];
}

export async function checkQuotas(
  { quotas }: Pick<Account, "quotas">,
  settings: Pick<Settings, "throttleRate">,
): Promise<readonly Finding[]> {
  return await Promise.all(
    neededQuotas(settings).map(async (quota) => {
      const { name, service, code, needed, why } = quota;
      const value = await appliedValueOf(quotas, quota);
      const shown = `${name} (${service} ${code}) is ${value}`;
      if (value >= needed) return ok(`${shown}, and ${needed} are needed (${why})`);
      return ask(`${shown}, and ${needed} are needed (${why}): ${increaseOf(quota, needed)}`);
    }),
  );
}

/** Service Quotas knows a value of the account only where one was asked for. */
async function appliedValueOf(quotas: ServiceQuotasClient, { service, code }: Quota): Promise<number> {
  const input = { ServiceCode: service, QuotaCode: code };
  try {
    return (await quotas.send(new GetServiceQuotaCommand(input))).Quota?.Value ?? 0;
  } catch (error) {
    if (!isNamed(error, "NoSuchResourceException")) throw error;
    return (await quotas.send(new GetAWSDefaultServiceQuotaCommand(input))).Quota?.Value ?? 0;
  }
}

export function increaseOf({ name, service, code }: Quota, value: number): string {
  return `ask for ${value} of "${name}": aws service-quotas request-service-quota-increase --service-code ${service} --quota-code ${code} --desired-value ${value}`;
}
