import { createHash } from "node:crypto";

export type Place = { readonly account: string; readonly region: string; readonly stackName: string };

export function shortHash(...parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 10);
}

/** The name is the same at each start, so that the state of `--data` is found again. */
export function physicalName(place: Place, logicalId: string, max: number): string {
  const full = `${place.stackName}-${logicalId}`;
  if (full.length <= max) return full;
  return `${full.slice(0, max - 11)}-${shortHash(full)}`;
}

export function arn(place: Place, service: string, resource: string): string {
  return `arn:aws:${service}:${place.region}:${place.account}:${resource}`;
}

/** Secrets Manager adds a hyphen and six random characters; here they follow from the name. */
export function secretArn(place: Place, name: string): string {
  return arn(place, "secretsmanager", `secret:${name}-${shortHash(name).slice(0, 6)}`);
}
