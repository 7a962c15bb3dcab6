import { APIGatewayClient } from "@aws-sdk/client-api-gateway";
import { CloudControlClient } from "@aws-sdk/client-cloudcontrol";
import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { ServiceQuotasClient } from "@aws-sdk/client-service-quotas";
import { SSMClient } from "@aws-sdk/client-ssm";
import { STSClient, type STSClientConfig } from "@aws-sdk/client-sts";

export type AccountConfig = Pick<STSClientConfig, "region" | "credentials" | "requestHandler">;

/** The clients of one account and Region. */
export function openAccount(config: AccountConfig) {
  return {
    apiGateway: new APIGatewayClient(config),
    cloudControl: new CloudControlClient(config),
    cloudFormation: new CloudFormationClient(config),
    lambda: new LambdaClient(config),
    quotas: new ServiceQuotasClient(config),
    ssm: new SSMClient(config),
    sts: new STSClient(config),
  };
}

export type Account = ReturnType<typeof openAccount>;
