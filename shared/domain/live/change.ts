import type { OrganizationId } from "../organization-id.ts";

/**
 * `run` and `machine`: the resource changed. `step`: the run may have another step. `call`: so may the run that has the
 * machine. `missed`: the viewer with this id lost hints. `all`: more changed than is noted one by one.
 */
export const changeKinds = ["run", "machine", "step", "call", "missed", "all"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** A change that viewers are still to hear of. */
export interface Change {
  readonly kind: ChangeKind;
  readonly id: string;
  /** Tells this change from a later one of the same resource: a revision, or a request's id. */
  readonly mark: string;
}

export interface ChangeOf extends Change {
  readonly organizationId: OrganizationId;
}
