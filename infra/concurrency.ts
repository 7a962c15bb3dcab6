import { Annotations } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { organizationSendsMax } from "../shared/vocabulary/events.ts";
import { lambdaConcurrencyMin } from "./settings.ts";

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
  // Waiting requests are at most a tenth of the account; the rest is for reads that do not wait.
  following: 15,
  matcher: 5,
  health: 2,
  // A probe waits as long as a desktop's call.
  "machine-health": 2,
};

export function hasShare(name: string): boolean {
  return Object.hasOwn(reservedPercent, name);
}

const reservedPercentTotal = Object.values(reservedPercent).reduce((sum, percent) => sum + percent, 0);

/** AWS refuses a reservation that leaves less than this to all other functions of the account. */
export const unreservedMin = 100;

/** A large account leaves more to the functions without a share. */
const unreservedShare = 0.1;

/** With less, a share would be smaller than the matcher's ten for a shard of the table's stream. */
const reservingMin = 300;

function isReserving(lambdaConcurrency: number): boolean {
  return lambdaConcurrency >= reservingMin;
}

/** The share is what the function reserves, or in a small account what it is meant to use at most. */
function shareOf(name: string, lambdaConcurrency: number): number | undefined {
  const percent = reservedPercent[name];
  if (percent === undefined) return undefined;
  const unreserved = Math.max(unreservedMin, lambdaConcurrency * unreservedShare);
  const divided = isReserving(lambdaConcurrency)
    ? Math.min(lambdaConcurrency, ((lambdaConcurrency - unreserved) * 100) / reservedPercentTotal)
    : lambdaConcurrency;
  return Math.floor((divided * percent) / 100);
}

export function reservedConcurrencyOf(
  name: string,
  lambdaConcurrency: number | undefined,
): number | undefined {
  if (lambdaConcurrency === undefined || !isReserving(lambdaConcurrency)) return undefined;
  return shareOf(name, lambdaConcurrency);
}

/**
 * One organization's calls to desktops that last are at most a quarter of the places for them, or two: one of a run and
 * one of a caller.
 */
export function callsShareOfPlaces(wanted: number, places: number): number {
  return Math.min(wanted, Math.max(2, Math.floor(places / 4)));
}

/**
 * The places for calls to desktops are the share of `computer`.
 *
 * @param wanted is the setting; without the account's number it is all that is known.
 */
export function callsShareOf(wanted: number, lambdaConcurrency: number | undefined): number {
  const places = lambdaConcurrency === undefined ? undefined : shareOf("computer", lambdaConcurrency);
  return places === undefined ? wanted : callsShareOfPlaces(wanted, places);
}

/** Without reservations, nothing else keeps runs from taking the places of the responses that they wait for. */
export function executionsShareOf(wanted: number, lambdaConcurrency: number | undefined): number {
  if (lambdaConcurrency === undefined || isReserving(lambdaConcurrency)) return wanted;
  return Math.min(wanted, Math.max(1, shareOf("executor", lambdaConcurrency) ?? 1));
}

/** Each shard's row of places then stays below 16 KB. */
const serviceExecutionsMax = 16_000;

/**
 * As many runs of all organizations are under way as the executor has instances: a run keeps one, but for its waits, and
 * further ones would wait for an instance with their machines. Without the account's number there is no limit.
 */
export function serviceExecutionsOf(lambdaConcurrency: number | undefined): number | undefined {
  if (lambdaConcurrency === undefined) return undefined;
  return Math.min(serviceExecutionsMax, Math.max(1, shareOf("executor", lambdaConcurrency) ?? 1));
}

const waitsShareOfReservation = 0.75;

/** A tenth of the account's places may be taken by requests that wait, which leave some of their function's to reads. */
export function waitsShareOf(lambdaConcurrency: number | undefined): number {
  // Nobody knows the account's number, which may be that of a new one.
  const places = lambdaConcurrency ?? lambdaConcurrencyMin;
  const own = shareOf("following", places) ?? 0;
  return Math.max(1, Math.floor(Math.min(places / 10, own * waitsShareOfReservation)));
}

/** Of the places for calls to desktops, requests that wait for a screen leave three quarters to the others. */
export function looksShareOfPlaces(places: number): number {
  return Math.max(1, Math.floor(places / 4));
}

export function looksShareOf(lambdaConcurrency: number | undefined): number {
  return looksShareOfPlaces(shareOf("computer", lambdaConcurrency ?? lambdaConcurrencyMin) ?? 0);
}

/** A tenth of a small account's places, or two: an endpoint that does not respond leaves one to the others. */
export function sendsShareOf(lambdaConcurrency: number | undefined): number {
  if (lambdaConcurrency === undefined) return organizationSendsMax;
  return Math.min(organizationSendsMax, Math.max(2, Math.floor(lambdaConcurrency / 10)));
}

/** AWS's own default, which new accounts may be below. */
export const lambdaConcurrencyDefault = 1_000;

const claimedShareMax = 0.8;

export function claimedConcurrencyMax(lambdaConcurrency: number | undefined): number {
  const reserved = Object.keys(reservedPercent).reduce(
    (sum, name) => sum + (reservedConcurrencyOf(name, lambdaConcurrency) ?? 0),
    0,
  );
  const free = (lambdaConcurrency ?? lambdaConcurrencyDefault) - reserved;
  return Math.floor(reserved + free * claimedShareMax);
}

export function warnWithoutConcurrency(stack: Construct, lambdaConcurrency: number | undefined): void {
  if (lambdaConcurrency !== undefined && isReserving(lambdaConcurrency)) return;
  const advice =
    lambdaConcurrency === undefined
      ? "set lambdaConcurrency to the account's"
      : `${lambdaConcurrency} are too few to reserve any, ask for ${lambdaConcurrencyDefault}`;
  Annotations.of(stack).addWarningV2(
    "das:lambdaConcurrency",
    `no function has concurrency of its own: ${advice} (infra/DEPLOY.md, First time)`,
  );
}
