/** The service as a whole, to within seconds. */
export interface Fleet {
  readonly connectedMachines: number;
  readonly runsWaiting: number;
  /** When the run was queued that has waited longest; undefined: none waits. */
  readonly oldestQueuedAtMs: number | undefined;
}

export interface FleetReader {
  read(): Promise<Fleet>;
}
