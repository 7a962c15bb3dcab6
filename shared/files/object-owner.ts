import type { OwnerOfObject } from "../domain/maintenance/unnamed/remove-unnamed-objects.ts";
import { organizationIdOf } from "../domain/organization-id.ts";
import { organizationOfSegment } from "../secrets/organization-segment.ts";
import { objectKeys } from "./object-keys.ts";

/** The result is used to delete, so a key counts only if its owner leads back to exactly that key. */
export function ownerOfObject(key: string): OwnerOfObject | undefined {
  const [prefix, segment = "", ...rest] = key.split("/");
  const organizationId = organizationIdOf(organizationOfSegment(segment));
  try {
    if (prefix === "attachments") {
      const [runId = "", id = ""] = rest;
      return objectKeys.attachmentKey(organizationId, runId, id) === key
        ? { organizationId, kind: "attachment", id }
        : undefined;
    }
    if (prefix !== "spill") return undefined;
    const [kind = "", id = "", name = ""] = rest;
    const [, field = "", objectId = ""] = /^(\w+)-(.+)$/.exec(name) ?? [];
    if (!isSpilledKind(kind)) return undefined;
    return objectKeys.spillKey(organizationId, kind, id, field, objectId) === key
      ? { organizationId, kind, id }
      : undefined;
  } catch {
    // The key is not made of ids, or has an empty organization, so the service did not make it.
    return undefined;
  }
}

const spilledKinds = ["run", "trajectory", "schedule", "prompt_image"] as const;

function isSpilledKind(kind: string): kind is (typeof spilledKinds)[number] {
  return spilledKinds.some((each) => each === kind);
}
