import { Annotations } from "aws-cdk-lib/core";
import type { Construct } from "constructs";

/**
 * Percent of the account's concurrency that a function has for itself, and may not exceed: callers who wait for desktops
 * keep none from the functions that bring their responses and give runs to machines. The rest is everybody's; Lambda
 * wants 100 of it unreserved.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
const reservedPercent: Readonly<Record<string, number>> = {
  tunnel: 30,
  computer: 25,
  // Each run under way keeps one, but while it waits.
  executor: 20,
  matcher: 5,
  health: 2,
  // A probe waits as long as a desktop's call.
  "machine-health": 2,
};

/** @param lambdaConcurrency the account's; undefined: nothing is reserved. */
export function reservedConcurrencyOf(
  name: string,
  lambdaConcurrency: number | undefined,
): number | undefined {
  const percent = reservedPercent[name];
  if (lambdaConcurrency === undefined || percent === undefined) return undefined;
  return Math.floor((lambdaConcurrency * percent) / 100);
}

/** What an account has at least, and is taken for without the setting. */
const lambdaConcurrencyMin = 1_000;

/** Of what is not reserved. */
const claimedShareMax = 0.8;

/** More than this claimed by all functions of the account, reserved shares among them, leaves too little to the others. */
export function claimedConcurrencyMax(lambdaConcurrency: number | undefined): number {
  const reserved = Object.keys(reservedPercent).reduce(
    (sum, name) => sum + (reservedConcurrencyOf(name, lambdaConcurrency) ?? 0),
    0,
  );
  const free = (lambdaConcurrency ?? lambdaConcurrencyMin) - reserved;
  return Math.floor(reserved + free * claimedShareMax);
}

/** Says at synthesis that nothing is reserved. */
export function warnWithoutConcurrency(stack: Construct, lambdaConcurrency: number | undefined): void {
  if (lambdaConcurrency !== undefined) return;
  Annotations.of(stack).addWarningV2(
    "das:lambdaConcurrency",
    "no function has concurrency of its own: set lambdaConcurrency to the account's (infra/DEPLOY.md, First time)",
  );
}
