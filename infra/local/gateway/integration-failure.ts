import { isRecord } from "./http-response.ts";
import type { IntegrationResult } from "./invoke.ts";

export interface IntegrationFailure {
  readonly status: number;
  readonly message: string;
}

export const malformedResponse: IntegrationFailure = { status: 502, message: "Internal server error" };

/** Source: https://github.com/serverless/serverless-websockets-plugin/issues/13 (502) */
export function failureOf(
  result: IntegrationResult,
): { readonly status: number; readonly message: string } | undefined {
  if (result.ok) {
    return isRecord(result.payload) ? undefined : { status: 502, message: "Internal server error" };
  }
  return result.kind === "gateway_timeout"
    ? { status: 504, message: "Endpoint request timed out" }
    : { status: 502, message: "Internal server error" };
}
