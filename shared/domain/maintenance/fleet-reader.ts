/** The state of the whole service, to within seconds. */
export interface Fleet {
  readonly connectedMachines: number;
  readonly runsWaiting: number;
  /** Undefined means that no run waits. */
  readonly oldestQueuedAtMs: number | undefined;
}

export interface FleetReader {
  read(): Promise<Fleet>;
}
