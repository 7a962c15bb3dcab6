import { type HttpRequest, HttpResponse } from "@smithy/core/protocols";
import type { AccountConfig } from "../../../infra/deploy-check/account.ts";

export interface FakeAccount {
  /** @default 6; null is an account that is not bootstrapped */
  readonly bootstrapVersion?: number | null;
  /** @default 1000 */
  readonly concurrency?: number;
  /** @default all of the concurrency */
  readonly unreserved?: number;
  /** Values by quota code. @default only AWS's own default of 10,000 */
  readonly quotas?: Readonly<Record<string, number>>;
  /** Statuses by stack name. */
  readonly stacks?: Readonly<Record<string, string>>;
  readonly takenNames?: readonly string[];
  readonly logRole?: string;
  /** Types of resources that CloudFormation does not know in this Region. */
  readonly unknownTypes?: readonly string[];
  /** The key `k`. @default none */
  readonly key?: { readonly enabled: boolean; readonly services: string | readonly string[] };
  /** @default false */
  readonly isTokenExpired?: boolean;
  /** A service, of those that speak JSON, whose calls are refused. */
  readonly refused?: string;
}

type Reply = readonly [status: number, body: unknown, errorType?: string];

/** Speaks each service's protocol by the client's own handler; what changes anything is not answered. */
export function configOf(account: FakeAccount = {}, calls: string[] = []): AccountConfig {
  return {
    region: "eu-west-1",
    credentials: { accessKeyId: "a", secretAccessKey: "b" },
    requestHandler: {
      handle: async (request: HttpRequest) => {
        const [service = ""] = request.hostname.split(".");
        const text = typeof request.body === "string" ? request.body : new TextDecoder().decode(request.body);
        const target = request.headers["x-amz-target"]?.split(".").at(-1);
        const operation =
          target ?? new URLSearchParams(text).get("Action") ?? `${request.method} ${request.path}`;
        calls.push(`${service} ${operation}`);
        const [statusCode, body, errorType] =
          service === account.refused
            ? ([403, { message: "not authorized" }, "AccessDeniedException"] as const)
            : replyTo(account, operation, text);
        const headers: Record<string, string> =
          errorType === undefined ? {} : { "x-amzn-errortype": errorType };
        const content = typeof body === "string" ? body : JSON.stringify(body);
        return {
          response: new HttpResponse({ statusCode, headers, body: new TextEncoder().encode(content) }),
        };
      },
    },
  };
}

function replyTo(account: FakeAccount, operation: string, text: string): Reply {
  switch (operation) {
    case "GetCallerIdentity":
      if (account.isTokenExpired) return [403, errorXml("ExpiredToken", "The security token is expired")];
      return [
        200,
        "<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:sts::111122223333:assumed-role/deployer/me</Arn><UserId>u</UserId><Account>111122223333</Account></GetCallerIdentityResult></GetCallerIdentityResponse>",
      ];
    case "GetParameter":
      return account.bootstrapVersion === null
        ? [400, { message: "none" }, "ParameterNotFound"]
        : [200, { Parameter: { Value: String(account.bootstrapVersion ?? 6) } }];
    case "GET /2016-08-19/account-settings": {
      const { concurrency = 1_000, unreserved = concurrency } = account;
      return [
        200,
        { AccountLimit: { ConcurrentExecutions: concurrency, UnreservedConcurrentExecutions: unreserved } },
      ];
    }
    case "GetServiceQuota": {
      const value = account.quotas?.[JSON.parse(text).QuotaCode];
      return value === undefined
        ? [400, { message: "none" }, "NoSuchResourceException"]
        : [200, { Quota: { Value: value } }];
    }
    case "GetAWSDefaultServiceQuota":
      return [200, { Quota: { Value: 10_000 } }];
    case "DescribeStacks":
      return describeStacks(account, new URLSearchParams(text).get("StackName") ?? "");
    case "DescribeType": {
      const type = new URLSearchParams(text).get("TypeName") ?? "";
      return account.unknownTypes?.includes(type)
        ? [404, errorXml("TypeNotFoundException", `The type ${type} cannot be found`)]
        : [200, "<DescribeTypeResponse><DescribeTypeResult/></DescribeTypeResponse>"];
    }
    case "GetResource":
      if (account.key !== undefined && JSON.parse(text).Identifier === "k") return keyReply(account.key);
      return account.takenNames?.includes(JSON.parse(text).Identifier)
        ? [200, { ResourceDescription: {} }]
        : [400, { message: "none" }, "ResourceNotFoundException"];
    case "GET /account":
      return [200, account.logRole === undefined ? {} : { cloudwatchRoleArn: account.logRole }];
    default:
      return [500, { message: `nobody answers ${operation}` }, "InternalFailure"];
  }
}

function keyReply({ enabled, services }: NonNullable<FakeAccount["key"]>): Reply {
  const Statement = [
    { Effect: "Allow", Principal: { AWS: "arn:aws:iam::111122223333:root" }, Action: "kms:*" },
    { Effect: "Allow", Principal: { Service: services }, Action: ["kms:Decrypt", "kms:GenerateDataKey*"] },
    { Effect: "Deny", Principal: "*", Action: "kms:ScheduleKeyDeletion" },
  ];
  const Properties = JSON.stringify({ Enabled: enabled, KeyPolicy: { Statement } });
  return [200, { ResourceDescription: { Identifier: "k", Properties } }];
}

function describeStacks({ stacks = {} }: FakeAccount, name: string): Reply {
  const status = stacks[name];
  if (status === undefined) {
    return [400, errorXml("ValidationError", `Stack with id ${name} does not exist`)];
  }
  return [
    200,
    `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>${name}</StackName><StackStatus>${status}</StackStatus></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  ];
}

function errorXml(code: string, message: string): string {
  return `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;
}
