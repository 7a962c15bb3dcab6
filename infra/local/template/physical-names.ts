import { createHash } from "node:crypto";

/** The account of the stand-in for AWS on this machine. */
export const localAccount = "000000000000";
export const localRegion = "us-east-1";

/** Account, Region and name of a stack. */
export type Place = { readonly account: string; readonly region: string; readonly stackName: string };

export function shortHash(...parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 10);
}

/**
 * `stack-logicalId`, cut to `max` and still unique. The same from one start to the next, so that the state of
 * `--data` is found again.
 */
export function physicalName(place: Place, logicalId: string, max: number): string {
  const full = `${place.stackName}-${logicalId}`;
  if (full.length <= max) return full;
  return `${full.slice(0, max - 11)}-${shortHash(full)}`;
}

export function arn(place: Place, service: string, resource: string): string {
  return `arn:aws:${service}:${place.region}:${place.account}:${resource}`;
}

/** Secrets Manager puts a hyphen and six random characters behind the name; here they follow from the name. */
export function secretArn(place: Place, name: string): string {
  return arn(place, "secretsmanager", `secret:${name}-${shortHash(name).slice(0, 6)}`);
}
