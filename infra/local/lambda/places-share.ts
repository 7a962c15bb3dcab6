import { callsShareOfPlaces, looksShareOfPlaces, waitsShareOf } from "../../concurrency.ts";
import type { FunctionModel } from "../template/application.ts";
import { environmentsMax } from "./limits.ts";

/** The template's shares are of an account's places, and the local stack has fewer. */
export function withLocalShare(fn: FunctionModel): FunctionModel {
  const { ORGANIZATION_CALLS_MAX: calls, WAITS_MAX: waits, LOOKS_MAX: looks } = fn.environment;
  const shares = {
    ...(calls && { ORGANIZATION_CALLS_MAX: String(callsShareOfPlaces(Number(calls), environmentsMax)) }),
    ...(waits && { WAITS_MAX: String(waitsShareOf(environmentsMax)) }),
    ...(looks && { LOOKS_MAX: String(looksShareOfPlaces(environmentsMax)) }),
  };
  return { ...fn, environment: { ...fn.environment, ...shares } };
}
