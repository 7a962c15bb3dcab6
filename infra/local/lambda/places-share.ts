import { callsShareOfPlaces, waitsShareOf } from "../../concurrency.ts";
import type { FunctionModel } from "../template/application.ts";
import { environmentsMax } from "./limits.ts";

/** The template's shares are of an account's places, and the local stack has fewer. */
export function withLocalShare(fn: FunctionModel): FunctionModel {
  const { ORGANIZATION_CALLS_MAX: calls, WAITS_MAX: waits } = fn.environment;
  const shares = {
    ...(calls && { ORGANIZATION_CALLS_MAX: String(callsShareOfPlaces(Number(calls), environmentsMax)) }),
    ...(waits && { WAITS_MAX: String(waitsShareOf(environmentsMax)) }),
  };
  return { ...fn, environment: { ...fn.environment, ...shares } };
}
