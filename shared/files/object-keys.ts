import { DomainError } from "../domain/errors.ts";
import type { OrganizationId } from "../domain/organization-id.ts";
import { organizationSegment } from "../secrets/organization-segment.ts";

/** @throws {DomainError} `not_found` for an id that the service never issued, since clients send ids back. */
export function uploadKey(organizationId: OrganizationId, uploadId: string): string {
  return `uploads/${organizationSegment(organizationId)}/${segment("upload", uploadId)}`;
}

export function tunnelKey(organizationId: OrganizationId, id: string): string {
  return `tunnel/${organizationSegment(organizationId)}/${segment("object", id)}`;
}

export function spillKey(
  organizationId: OrganizationId,
  kind: string,
  id: string,
  field: string,
  objectId: string,
): string {
  const parts = [kind, id, `${field}-${objectId}`].map((each) => segment("object", each));
  return ["spill", organizationSegment(organizationId), ...parts].join("/");
}

export function attachmentKey(organizationId: OrganizationId, runId: string, attachmentId: string): string {
  const parts = [segment("run", runId), segment("attachment", attachmentId)];
  return ["attachments", organizationSegment(organizationId), ...parts].join("/");
}

export function stepKey(organizationId: OrganizationId, runId: string, name: string): string {
  return stepPrefix(organizationId, runId) + segment("step", name);
}

/** Ends in `/`, so that it begins no other run's keys. */
export function stepPrefix(organizationId: OrganizationId, runId: string): string {
  return `steps/${organizationSegment(organizationId)}/${segment("run", runId)}/`;
}

function segment(what: string, id: string): string {
  if (/^[A-Za-z0-9_-]{1,128}$/.test(id)) return id;
  throw new DomainError(
    "not_found",
    `there is no such ${what}; its id must be 1 to 128 letters, digits, _ or -`,
  );
}
