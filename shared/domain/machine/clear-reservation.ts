import type { MachineChange } from "./machine-store.ts";

/**
 * What PATCH reserved_session_id null writes: no reservation, and available.
 *
 * Nothing makes runs or sessions yet. Once something does, this becomes the last of three steps: the session is
 * ended and the machine marked clearing; its scheduling and running runs are cancelled page by page; then this
 * change, in a transaction that requires `currentRunId` to be null. Its commit is what the matcher hears of.
 */
export function clearReservation(): Pick<MachineChange, "reservedSessionId" | "isAvailable"> {
  return { reservedSessionId: null, isAvailable: true };
}
