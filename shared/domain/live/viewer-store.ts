import type { OrganizationId } from "../organization-id.ts";
import type { SeatedViewer, Viewer, ViewerPlace } from "./viewer.ts";

export interface HeardViewer {
  readonly viewer: SeatedViewer;
  /** The frames of this minute, with this one. */
  readonly frames: number;
}

export interface ViewerStore {
  /** Writes viewer and socket in one transaction. Undefined means that all of the organization's places are taken. */
  open(viewer: Omit<Viewer, "toldFromMs">): Promise<SeatedViewer | undefined>;
  /** Returns the place of a socket in one read, or none when this instance knows it. */
  findBySocket(websocketId: string): Promise<ViewerPlace | undefined>;
  /** Counts a frame and replaces the topics given, in one write. Undefined means that the viewer has been removed. */
  hear(place: ViewerPlace, topics?: readonly string[]): Promise<HeardViewer | undefined>;
  /** Lists those whose time has not ended, consistently. */
  list(organizationId: OrganizationId): Promise<readonly SeatedViewer[]>;
  /** Reads one row at most; a viewer whose time has ended may count. */
  hasAny(organizationId: OrganizationId): Promise<boolean>;
  listByKey(keyId: string): Promise<readonly ViewerPlace[]>;
  /** Lists viewers of all organizations whose time has ended. */
  listEnded(limit: number): Promise<readonly ViewerPlace[]>;
  /** Changes nothing when another viewer has the place. */
  remove(place: ViewerPlace): Promise<void>;
}
