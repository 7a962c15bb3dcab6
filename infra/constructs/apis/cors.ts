import { CorsHttpMethod, type CorsPreflightOptions } from "aws-cdk-lib/aws-apigatewayv2";
import { Duration } from "aws-cdk-lib/core";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";
import type { Operation } from "../../../shared/contract/operations/operation.ts";
import { responseHeaders } from "../../openapi/headers.ts";
import { requestHeaderParameters } from "../../openapi/parameters.ts";

/** Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html */
export function corsPreflight(origins: readonly string[]): CorsPreflightOptions | undefined {
  if (origins.length === 0) return undefined;
  const operations: readonly Operation[] = allOperations;
  const ofOperations = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)),
  );
  return {
    allowOrigins: [...origins],
    allowMethods: [...new Set(operations.map(({ method }) => CorsHttpMethod[method]))],
    allowHeaders: ["Authorization", "Content-Type", ...requestHeaderParameters.map(({ name }) => name)],
    exposeHeaders: [...new Set([...Object.keys(responseHeaders), ...ofOperations])],
    maxAge: Duration.hours(1),
  };
}
