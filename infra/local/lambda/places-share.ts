import { callsShareOfPlaces } from "../../concurrency.ts";
import type { FunctionModel } from "../template/application.ts";
import { environmentsMax } from "./limits.ts";

/** The template's share of calls is of an account's places, and the local stack has fewer. */
export function withLocalShare(fn: FunctionModel): FunctionModel {
  const wanted = fn.environment.ORGANIZATION_CALLS_MAX;
  if (wanted === undefined) return fn;
  const calls = callsShareOfPlaces(Number(wanted), environmentsMax);
  return { ...fn, environment: { ...fn.environment, ORGANIZATION_CALLS_MAX: String(calls) } };
}
