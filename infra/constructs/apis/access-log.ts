import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import { type IAccessLogSettings, LogGroupLogDestination } from "aws-cdk-lib/aws-apigatewayv2";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { RemovalPolicy } from "aws-cdk-lib/core";
import type { Construct } from "constructs";

/**
 * No field may contain a header, a query or a body.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging-variables.html
 */
export type AccessLogFields = Readonly<Record<string, `$context.${string}`>>;

export function accessLog(
  scope: Construct,
  id: string,
  fields: AccessLogFields,
  retentionDays: number,
): IAccessLogSettings {
  const logGroup = new LogGroup(scope, id, {
    retention: retentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  return {
    destination: new LogGroupLogDestination(logGroup),
    format: AccessLogFormat.custom(JSON.stringify(fields)),
  };
}
