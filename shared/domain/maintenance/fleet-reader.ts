/** The state of the whole service, to within seconds. */
export interface Fleet {
  readonly connectedMachines: number;
  readonly runsWaiting: number;
  /** Undefined means that no run waits. */
  readonly oldestQueuedAtMs: number | undefined;
}

/** The numbers of connected machines of the organizations that have any. */
export type OrganizationMachines = ReadonlyMap<string, number>;

export interface FleetReader {
  read(): Promise<Fleet>;
  countByOrganization(): Promise<OrganizationMachines>;
}
