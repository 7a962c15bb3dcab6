/** The service as a whole, to within seconds. */
export interface Fleet {
  readonly connectedMachines: number;
  readonly runsWaiting: number;
  /** Undefined when none waits. */
  readonly oldestQueuedAtMs: number | undefined;
}

export interface FleetReader {
  read(): Promise<Fleet>;
}
