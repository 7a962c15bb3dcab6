import type { ViewerDismissal } from "../../vocabulary/live.ts";
import type { DismissalReason } from "../../vocabulary/machines.ts";

export interface SocketDismissal {
  /**
   * Says goodbye and closes the socket. A closed socket is ignored, so this can be repeated.
   *
   * @param address is where a driver connects from now on, with `moved`.
   */
  dismiss(websocketId: string, reason: DismissalReason | ViewerDismissal, address?: string): Promise<void>;
}
