import { Annotations } from "aws-cdk-lib/core";
import type { Construct } from "constructs";

/**
 * These percentages keep callers who wait for desktops from starving the functions that bring their responses.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
const reservedPercent: Readonly<Record<string, number>> = {
  tunnel: 30,
  computer: 25,
  // Each run under way needs one, except while it waits.
  executor: 20,
  matcher: 5,
  health: 2,
  // A probe waits as long as a desktop's call.
  "machine-health": 2,
};

export function reservedConcurrencyOf(
  name: string,
  lambdaConcurrency: number | undefined,
): number | undefined {
  const percent = reservedPercent[name];
  if (lambdaConcurrency === undefined || percent === undefined) return undefined;
  return Math.floor((lambdaConcurrency * percent) / 100);
}

/**
 * One organization's calls to desktops that last are at most a quarter of what `computer` has.
 *
 * @param wanted is the setting; without the account's number it is all that is known.
 */
export function callsShareOf(wanted: number, lambdaConcurrency: number | undefined): number {
  const places = reservedConcurrencyOf("computer", lambdaConcurrency);
  return places === undefined ? wanted : Math.min(wanted, Math.floor(places / 4));
}

/** Every account has at least this much. */
const lambdaConcurrencyMin = 1_000;

const claimedShareMax = 0.8;

export function claimedConcurrencyMax(lambdaConcurrency: number | undefined): number {
  const reserved = Object.keys(reservedPercent).reduce(
    (sum, name) => sum + (reservedConcurrencyOf(name, lambdaConcurrency) ?? 0),
    0,
  );
  const free = (lambdaConcurrency ?? lambdaConcurrencyMin) - reserved;
  return Math.floor(reserved + free * claimedShareMax);
}

export function warnWithoutConcurrency(stack: Construct, lambdaConcurrency: number | undefined): void {
  if (lambdaConcurrency !== undefined) return;
  Annotations.of(stack).addWarningV2(
    "das:lambdaConcurrency",
    "no function has concurrency of its own: set lambdaConcurrency to the account's (infra/DEPLOY.md, First time)",
  );
}
