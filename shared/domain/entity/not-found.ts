import { DomainError } from "../errors.ts";

export type Noun =
  | "connection"
  | "machine"
  | "model configuration"
  | "pool"
  | "prompt image"
  | "recording"
  | "run"
  | "run attachment"
  | "schedule"
  | "trajectory"
  | "webhook endpoint"
  | "workflow"
  | "workflow tag"
  | "workflow tag group";

/** A missing resource and another organization's get the same error, so that ids cannot be probed. */
export function notFound(noun: Noun, id: string): DomainError {
  return new DomainError("not_found", `there is no ${noun} ${id}`);
}

/** @throws {DomainError} `not_found` */
export function required<Found>(found: Found | undefined, noun: Noun, id: string): Found {
  if (found === undefined) throw notFound(noun, id);
  return found;
}
