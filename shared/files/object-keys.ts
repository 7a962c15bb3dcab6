import { DomainError } from "../domain/errors.ts";
import type { FileStore } from "../domain/file-store.ts";
import { organizationSegment } from "../secrets/organization-segment.ts";

export const objectKeys: Pick<
  FileStore,
  "uploadKey" | "tunnelKey" | "spillKey" | "attachmentKey" | "stepKey" | "stepPrefix"
> = {
  /** @throws {DomainError} `not_found` for an id that the service never issued, since clients send ids back. */
  uploadKey: (organizationId, uploadId) =>
    `uploads/${organizationSegment(organizationId)}/${segment("upload", uploadId)}`,
  tunnelKey: (organizationId, id) => `tunnel/${organizationSegment(organizationId)}/${segment("object", id)}`,
  spillKey: (organizationId, kind, id, field, objectId) => {
    const parts = [kind, id, `${field}-${objectId}`].map((each) => segment("object", each));
    return ["spill", organizationSegment(organizationId), ...parts].join("/");
  },
  attachmentKey: (organizationId, runId, attachmentId) => {
    const parts = [segment("run", runId), segment("attachment", attachmentId)];
    return ["attachments", organizationSegment(organizationId), ...parts].join("/");
  },
  stepKey: (organizationId, runId, name) =>
    objectKeys.stepPrefix(organizationId, runId) + segment("step", name),
  /** The prefix ends in `/`, so that no other run's keys begin with it. */
  stepPrefix: (organizationId, runId) =>
    `steps/${organizationSegment(organizationId)}/${segment("run", runId)}/`,
};

function segment(what: string, id: string): string {
  if (/^[A-Za-z0-9_-]{1,128}$/.test(id)) return id;
  throw new DomainError(
    "not_found",
    `there is no such ${what}; its id must be 1 to 128 letters, digits, _ or -`,
  );
}
