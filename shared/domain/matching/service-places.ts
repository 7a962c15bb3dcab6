import type { OrganizationId } from "../organization-id.ts";

export interface ServicePlacesCount {
  readonly underWay: number;
  readonly max: number;
}

/** An organization in the line for places. */
export interface InLine {
  readonly organizationId: OrganizationId;
  /** The machines that could begin no run, or `anyIdle`. */
  readonly refused: readonly string[];
  /** Idle rows up to this one have been read without success. */
  readonly idleAfter: string | null;
  /** The time of the last turn, or of joining. */
  readonly turnAtMs: number;
  /** The id changes whenever the organization is refused again. */
  readonly writeId: string;
}

/** The places of the runs of all organizations that the service carries out, and the line of those that wait for one. */
export interface ServicePlaces {
  count(): Promise<ServicePlacesCount>;
  /** Puts the organization in the line, and has all places kept for the line. Its turn follows by an event. */
  join(organizationId: OrganizationId, refused: readonly string[]): Promise<void>;
  /** Returns all that wait; the one whose last turn is longest ago is first. */
  line(): Promise<readonly InLine[]>;
  /** Has all places kept for the line, and returns how many are free. */
  keep(): Promise<number>;
  /** Gives free places to anybody again. Returns false if none was kept. */
  release(): Promise<boolean>;
  /** Moves the organization to the end of the line. Returns undefined if another matcher has given it this turn. */
  beginTurn(waiting: InLine): Promise<InLine | undefined>;
  /** Notes who of the refused is left to be served; without any, the organization leaves the line, unless it was refused meanwhile. */
  endTurn(turn: InLine, left: Pick<InLine, "refused" | "idleAfter">): Promise<void>;
  /** Compares the places with the executions that there are. Returns how many were given back or added. */
  recount(): Promise<number>;
}
