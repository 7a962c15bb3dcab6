import type { OrganizationId } from "../organization-id.ts";

/** A person's page that watches an organization's runs and machines over a socket. */
export interface Viewer {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly websocketId: string;
  readonly principal: string;
  /** Revoking this key ends the viewer; null for a dashboard session. */
  readonly keyId: string | null;
  readonly topics: readonly string[];
  readonly openedAt: string;
  /** Until then, the projector may remember that the organization has no viewer. */
  readonly toldFromMs: number;
  readonly endsAtMs: number;
}

/** One of the organization's places for viewers. */
export interface ViewerPlace extends Pick<Viewer, "organizationId" | "id" | "websocketId"> {
  readonly place: number;
}

export type SeatedViewer = Viewer & ViewerPlace;

/** The projector remembers for this time whether an organization has viewers. */
export const viewersRememberedMs = 2_000;
